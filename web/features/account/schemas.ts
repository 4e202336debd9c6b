import { isEmail, isPersonName, passwordFault } from '#domain/accounts/account.ts'
import type { Texts } from '#web/messages/texts.ts'
import * as z from 'zod/mini'
import type { ReadMobile } from './phone/use-phone-numbers.ts'

const USD_LEAST = 0.01

/** The fields of the account forms with their rules; specification section 5. */
function fieldsOf({ forms }: Texts['messages']) {
  const required = z.string().check(z.minLength(1, forms.required))
  return {
    required,
    personName: z.string().check(
      z.refine((text) => text.trim() !== '', forms.required),
      z.refine(isPersonName, { error: forms.nameInvalid }),
    ),
    newPassword: z.string().check((context) => {
      const fault = passwordFault(context.value)
      if (fault === null) return
      const message = context.value === '' ? forms.required : forms.passwordFault(fault)
      context.issues.push({ code: 'custom', message, input: context.value })
    }),
    email: (invalid: string) =>
      z.string().check(
        z.minLength(1, forms.required),
        z.refine((text) => isEmail(text.trim()), { error: invalid }),
      ),
  }
}

/**
 * Checks the phone number by its country, once the check is loaded; also while other fields are
 * invalid.
 */
function checkPhone({ forms }: Texts['messages'], readMobile: ReadMobile | null) {
  return z.refine<{ phone_number: string; country_code: string }>(
    (fields) =>
      readMobile === null ||
      fields.phone_number.trim() === '' ||
      readMobile(fields.country_code, fields.phone_number) !== null,
    { error: forms.phoneInvalid, path: ['phone_number'], when: () => true },
  )
}

export function loginSchema(messages: Texts['messages']) {
  const { required } = fieldsOf(messages)
  return z.object({ email: required, password: required })
}

export function registrationSchema(
  messages: Texts['messages'] & Texts['accountPages'],
  readMobile: ReadMobile | null,
) {
  const { personName, email, newPassword, required } = fieldsOf(messages)
  const { register, forms } = messages
  const fields = z.object({
    first_name: personName,
    last_name: personName,
    email: email(forms.emailInvalid),
    password: newPassword,
    phone_number: z.string(),
    country_code: z.string(),
    nationality: required,
    usd_amount: z.string().check(
      z.minLength(1, forms.required),
      z.refine((text) => Number(text) >= USD_LEAST, { error: register.amountTooSmall }),
    ),
    terms_accepted: z.boolean().check(z.refine((value) => value, { error: register.mustAgree })),
  })
  return fields.check(checkPhone(messages, readMobile))
}

export function forgotPasswordSchema(messages: Texts['messages']) {
  return z.object({ email: fieldsOf(messages).email(messages.forgotPassword.emailInvalid) })
}

export function resetPasswordSchema(messages: Texts['messages']) {
  return z.object({ password: fieldsOf(messages).newPassword })
}

export function codeSchema(messages: Texts['messages']) {
  return z.object({ code: fieldsOf(messages).required })
}

/** What shows that it is the owner who asks; a code is part of it if two-factor login is on. */
export function proofSchema(messages: Texts['messages'], asksForCode: boolean) {
  const { required } = fieldsOf(messages)
  return z.object({ password: required, code: asksForCode ? required : z.string() })
}

/** The word has to be typed, and a code is required if two-factor login is on. */
export function erasureSchema(
  messages: Texts['messages'],
  texts: Pick<Texts['security'], 'eraseWord' | 'eraseWrongWord'>,
  asksForCode: boolean,
) {
  const { eraseWord, eraseWrongWord } = texts
  return z.object({
    word: z.string().check(
      z.refine((typed) => typed.trim().toUpperCase() === eraseWord, {
        error: eraseWrongWord(eraseWord),
      }),
    ),
    ...proofSchema(messages, asksForCode).shape,
  })
}

export function changePasswordSchema(messages: Texts['messages']) {
  const { required, newPassword } = fieldsOf(messages)
  return z.object({ current_password: required, password: newPassword })
}

export function profileSchema(messages: Texts['messages'], readMobile: ReadMobile | null) {
  const { personName, required } = fieldsOf(messages)
  const fields = z.object({
    first_name: personName,
    last_name: personName,
    nationality: required,
    phone_number: z.string(),
    country_code: z.string(),
  })
  return fields.check(checkPhone(messages, readMobile))
}
