/** The rules about who a buyer is; specification section 5. */

export const PASSWORD_LENGTH_MIN = 8
export const PASSWORD_LENGTH_MAX = 32
export const NAME_LENGTH_MAX = 100
export const EMAIL_LENGTH_MAX = 254

export type PasswordFault =
  | 'Minimum 8 character'
  | 'Maximum 32 character'
  | 'Must have at least 1 number and 1 letter'

/** What is wrong with a new password, as the sentence that is shown; null if nothing is. */
export function passwordFault(password: string): PasswordFault | null {
  // Two units of text are a character at most.
  if (password.length > 2 * PASSWORD_LENGTH_MAX) return 'Maximum 32 character'
  const length = Array.from(password).length
  if (length < PASSWORD_LENGTH_MIN) return 'Minimum 8 character'
  if (length > PASSWORD_LENGTH_MAX) return 'Maximum 32 character'
  if (!/\p{L}/u.test(password) || !/\p{Nd}/u.test(password)) {
    return 'Must have at least 1 number and 1 letter'
  }
  return null
}

/**
 * One address of the everyday form `name@host.tld`. Quoted names, comments and address literals
 * (RFC 5322) are refused: nobody registers with them, and mail headers have been attacked by them.
 */
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i

/** Whether somebody can register with a text as their address. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text)
}

/** The form under which an address is stored and compared: two spellings are one account. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}

/**
 * An address as it is shown to who may not see it: `ada@example.com` is `a…@e….com`. It tells two
 * people of a list apart, and reaches neither.
 */
export function maskEmail(email: string): string {
  const [name = '', host = ''] = email.split('@')
  return `${name.slice(0, 1)}…@${host.slice(0, 1)}…${host.slice(host.lastIndexOf('.'))}`
}

/**
 * A name is text for people: 1 to 100 characters as people count them, free of control characters,
 * of those that change the direction of writing, and of those that nobody sees.
 */
export function isPersonName(text: string): boolean {
  // Two units of text are a character at most.
  if (text.length > 2 * NAME_LENGTH_MAX) return false
  return (
    // Something that can be seen: not spaces alone, nor what only joins or tags other characters.
    /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) &&
    Array.from(text).length <= NAME_LENGTH_MAX &&
    // Half a character, which no database keeps as it is.
    !/\p{Cs}/u.test(text) &&
    !/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u.test(text)
  )
}

/** Dial code, one space, the number: `+44 7911123456`. */
export const MOBILE = /^\+[1-9]\d{0,3} \d{4,14}$/

const WALLET_ADDRESS = /^0x[0-9a-fA-F]{40}$/

export type WalletAddressFault = 'Invalid wallet address'

/**
 * What is wrong with the address of a wallet, as the sentence that is shown; null if nothing is.
 * The specification has this rule and no field that it is for: receiving wallets go by the rules of
 * their chain.
 */
export function walletAddressFault(address: string): WalletAddressFault | null {
  return WALLET_ADDRESS.test(address) ? null : 'Invalid wallet address'
}
