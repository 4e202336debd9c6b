/** Texts of the pages about one's own account, logged in or out. */
export const account = {
  heading: 'PROFILE',
  cardTitle: 'Your Profile',
  saveChanges: 'Save Changes',
  saved: 'Successfully updated user',
  saveFailed: 'Error updating user',
  unverified: 'Not verified',
  verified: 'Verified',
  resend: 'Resend Verification Email',
  verificationSent: 'Successfully sent verification email',
  verificationFailed: 'Error sending verification email',
  emailNotChangeable: 'The address you log in with; it cannot be changed.',
}

export const verifyEmail = {
  heading: 'Verifying your email',
  done: 'Successfully verified user',
  failed: 'Error verifying email',
}

export const forgotPassword = {
  heading: 'Forgot password',
  intro: 'Enter the email of your account. We send you a link to choose a new password.',
  emailInvalid: 'Invalid email',
  submit: 'Send Password Reminder',
  submitIn: (seconds: number) => `Send Password Reminder (${seconds})`,
  backToLogin: 'Back to login',
  done: 'Successfully sent password reset email',
  failed: 'Error sending password reset email',
}

export const resetPassword = {
  heading: 'Reset Password',
  newPassword: 'New Password',
  submit: 'Reset Password',
  done: 'Successfully reset password',
  failed: 'Error resetting password',
  noToken: 'No token provided',
  askAgain: 'Ask for a new link',
}
