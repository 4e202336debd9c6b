/** Texts of the registration, and of the pages about an account, logged in or out. */
export const accountPages = {
  register: {
    heading: 'Create your account',
    yourAccount: 'Your account',
    aboutYou: 'About you',
    aboutYouNote: 'Who may buy differs by country, so nationality is asked for.',
    purchaseDetails: 'Purchase Details',
    purchaseNote:
      'Nothing is bought yet: any amount will do. You can change this on the next page.',
    paymentCurrency: 'Payment currency',
    purchaseAmount: 'Purchase amount',
    amountTooSmall: 'Must be more than 0.01',
    agreeBefore: 'I agree to the ',
    agreeTerms: 'Terms and Conditions',
    agreeBetween: ' and ',
    agreePrivacy: 'Privacy Policy',
    mustAgree: 'Must accept terms and conditions',
    submit: 'Create Account',
    haveAccount: 'Already have an account?',
    signIn: 'Sign in',
    emailTaken: 'Email is already registered',
    done: 'Successfully registered',
    failed: 'Error while registering',
  },

  account: {
    heading: 'PROFILE',
    sections: 'On this page',
    cardTitle: 'Your Profile',
    wallet: 'Receiving wallet',
    saveChanges: 'Save Changes',
    saved: 'Successfully updated user',
    saveFailed: 'Error updating user',
    unverified: 'Not verified',
    verified: 'Verified',
    resend: 'Resend Verification Email',
    verificationSent: 'Successfully sent verification email',
    verificationFailed: 'Error sending verification email',
    emailNotChangeable: 'You log in with this address; it cannot be changed.',
  },

  verifyEmail: {
    heading: 'Verifying your email',
    done: 'Successfully verified user',
    failed: 'Error verifying email',
    alreadyDone: 'Your email is already verified',
  },

  resetPassword: {
    heading: 'Reset Password',
    newPassword: 'New Password',
    submit: 'Reset Password',
    done: 'Successfully reset password',
    failed: 'Error resetting password',
    noToken: 'No token provided',
    askAgain: 'Request a new link',
    notOpened:
      'You are logged in, so the link to reset a password was not opened. Log out to use it.',
    changePassword: 'Change your password',
    linkIncomplete: 'Open this page with the whole link from our email; yours is incomplete.',
  },
}
