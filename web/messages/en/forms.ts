import type { PasswordFault } from '#domain/accounts/account.ts'

/** Texts that several forms share; the messages are those of specification section 5. */
export const forms = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  password: 'Password',
  phoneNumber: 'Phone number',
  countryCode: 'Country code',
  nationality: 'Nationality',
  chooseNationality: 'Choose your nationality',
  optional: 'Optional',
  preferredCountries: 'Often chosen',
  allCountries: 'All countries',
  required: "Can't be empty",
  emailInvalid: 'Email is invalid',
  nameInvalid: 'Use at most 100 letters, and no line breaks',
  phoneInvalid: 'Enter a phone number that exists in that country',
  passwordFault: (fault: PasswordFault): string => fault,
  passwordRules: {
    length: '8 to 32 characters',
    letter: 'A letter',
    digit: 'A number',
  },
}
