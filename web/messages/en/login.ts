export const login = {
  heading: 'Login',
  submit: 'Login',
  forgotPassword: 'Forgot password',
  registerAccount: 'Register an account',
  twoFactorCode: 'Authentication code',
  twoFactorHint: 'From your authenticator app, or one of your recovery codes',
  done: 'Successfully logged in',
  failed: 'Error while logging in',
}
