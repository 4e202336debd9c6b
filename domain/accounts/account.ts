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
  // Four parts of two UTF-16 units compose a character. To order the marks of a long text takes
  // seconds.
  if (password.length > 8 * PASSWORD_LENGTH_MAX) return 'Maximum 32 character'
  // An accent that a keyboard writes behind its letter is no character of its own.
  const { length } = Array.from(password.normalize())
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
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/i

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text)
}

/** The form under which an address is stored and compared: two spellings are one account. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}

/**
 * An address as shown to people who may not see it: `ada@example.com` is `a…@e….com`. This tells
 * two people in a list apart without revealing either.
 */
export function maskEmail(email: string): string {
  const [name = '', host = ''] = email.split('@')
  return `${name.slice(0, 1)}…@${host.slice(0, 1)}…${host.slice(host.lastIndexOf('.'))}`
}

/**
 * A name is text for people: 1 to 100 characters as people count them, without control characters,
 * characters that change the direction of writing, and invisible ones.
 */
export function isPersonName(text: string): boolean {
  // A character has at most two UTF-16 units.
  if (text.length > 2 * NAME_LENGTH_MAX) return false
  return (
    // Something visible: not only spaces, or characters that only join or tag others.
    /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) &&
    Array.from(text).length <= NAME_LENGTH_MAX &&
    // Unpaired surrogates, which no database stores as they are; and what nobody sees, but for the
    // joiners, variants and tags that writing and emoji need.
    !/(?![\p{Join_C}\p{VS}\u{e0020}-\u{e007f}])[\p{Cs}\p{Cc}\p{Zl}\p{Zp}\p{DI}\u2800]/u.test(text)
  )
}

/** Dial code, one space, the number: `+44 7911123456`. */
export const MOBILE = /^\+[1-9]\d{0,3} \d{4,14}$/

const WALLET_ADDRESS = /^0x[0-9a-fA-F]{40}$/

export type WalletAddressFault = 'Invalid wallet address'

/**
 * What is wrong with a wallet's address, as the sentence that is shown; null if nothing is. The
 * specification has this rule but no field for it: receiving wallets follow the rules of their
 * chain.
 */
export function walletAddressFault(address: string): WalletAddressFault | null {
  return WALLET_ADDRESS.test(address) ? null : 'Invalid wallet address'
}
