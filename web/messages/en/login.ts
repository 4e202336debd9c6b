export const login = {
  heading: 'Login',
  submit: 'Login',
  forgotPassword: 'Forgot password',
  registerAccount: 'Register an account',
  done: 'Successfully logged in',
  failed: 'Error while logging in',
}
