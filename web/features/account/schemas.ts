import { isEmail, isPersonName, passwordFault } from '#domain/account.ts'
import type { Messages } from '#web/messages/en.ts'
import * as z from 'zod/mini'

const USD_LEAST = 0.01

/** The fields of the account forms with their rules; specification section 5. */
function fieldsOf({ forms }: Messages) {
  const required = z.string().check(z.minLength(1, forms.required))
  return {
    required,
    personName: z.string().check(
      z.refine((text) => text.trim() !== '', { error: forms.required, abort: true }),
      z.refine(isPersonName, { error: forms.nameInvalid }),
    ),
    phoneNumber: z.string().check(
      z.refine((text) => /^$|^\d{4,14}$/.test(text.replace(/[\s()-]/g, '')), {
        error: forms.phoneInvalid,
      }),
    ),
    newPassword: z.string().check((context) => {
      const fault = context.value === '' ? forms.required : passwordFault(context.value)
      if (fault === null) return
      context.issues.push({ code: 'custom', message: fault, input: context.value })
    }),
    email: (invalid: string) =>
      z.string().check(
        z.minLength(1, { error: forms.required, abort: true }),
        z.refine((text) => isEmail(text.trim()), { error: invalid }),
      ),
  }
}

export function loginSchema(messages: Messages) {
  const { required } = fieldsOf(messages)
  return z.object({ email: required, password: required, code: z.string() })
}

export function registrationSchema(messages: Messages) {
  const { personName, email, newPassword, phoneNumber, required } = fieldsOf(messages)
  const { register, forms } = messages
  return z.object({
    first_name: personName,
    last_name: personName,
    email: email(forms.emailInvalid),
    password: newPassword,
    phone_number: phoneNumber,
    country_code: z.string(),
    nationality: required,
    usd_amount: z.string().check(
      z.minLength(1, { error: forms.required, abort: true }),
      z.refine((text) => Number(text) >= USD_LEAST, { error: register.amountTooSmall }),
    ),
    terms_accepted: z.boolean().check(z.refine((value) => value, { error: register.mustAgree })),
  })
}

export function forgotPasswordSchema(messages: Messages) {
  return z.object({ email: fieldsOf(messages).email(messages.forgotPassword.emailInvalid) })
}

export function resetPasswordSchema(messages: Messages) {
  return z.object({ password: fieldsOf(messages).newPassword })
}

export function profileSchema(messages: Messages) {
  const { personName, phoneNumber, required } = fieldsOf(messages)
  return z.object({
    first_name: personName,
    last_name: personName,
    nationality: required,
    phone_number: phoneNumber,
    country_code: z.string(),
  })
}
