import type { User } from '#contract/shapes.ts'
import { fromMobile } from '#web/features/account/phone/countries.ts'
import { NationalitySelect } from '#web/features/account/phone/country-select.tsx'
import { PhoneField } from '#web/features/account/phone/phone-field.tsx'
import { mobileOf, usePhoneNumbers } from '#web/features/account/phone/use-phone-numbers.ts'
import { refuseFields } from '#web/lib/refuse-fields.ts'
import { profileSchema } from '#web/features/account/schemas.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useAccountPageTexts } from '#web/messages/use-account-page-texts.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'

/** The user's own fields. The email address is shown but cannot be changed. */
export function ProfileForm({ user }: { user: User }) {
  const { forms } = useMessages()
  const { account } = useAccountPageTexts()
  const { form, hasChanged, loadPhoneNumbers } = useProfile(user)

  return (
    <form
      noValidate
      aria-label={account.cardTitle}
      onSubmit={form.onSubmit}
      className="flex flex-col gap-2"
    >
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <TextField {...form.text('first_name')} label={forms.firstName} autoComplete="given-name" />
        <TextField {...form.text('last_name')} label={forms.lastName} autoComplete="family-name" />
      </div>
      <NationalitySelect {...form.choice('nationality')} />
      <PhoneField
        number={form.text('phone_number')}
        country={form.choice('country_code')}
        onFocus={loadPhoneNumbers}
      />
      <TextField
        label={forms.email}
        value={user.email}
        type="email"
        readOnly
        hint={account.emailNotChangeable}
      />
      <Button
        type="submit"
        disabled={!hasChanged}
        isBusy={form.isSubmitting}
        className="w-full sm:w-auto sm:self-start"
      >
        {account.saveChanges}
      </Button>
    </form>
  )
}

function useProfile(user: User) {
  const messages = useMessages()
  const { forms } = messages
  const { account } = useAccountPageTexts()
  const { updateUser } = useSession()
  const phoneNumbers = usePhoneNumbers()
  const form = useForm({
    schema: profileSchema(messages, phoneNumbers.readMobile),
    initial: profileOf(user),
    async onSubmit(fields) {
      const mobile = await mobileOf(fields)
      if (mobile === null) {
        form.refuse('phone_number', forms.phoneInvalid)
        return
      }
      const saved = await updateUser({
        ...(form.isChanged('first_name') && { first_name: fields.first_name.trim() }),
        ...(form.isChanged('last_name') && { last_name: fields.last_name.trim() }),
        ...(form.isChanged('nationality') && { nationality: fields.nationality }),
        ...(isNewMobile && { mobile: mobile ?? null }),
      })
      form.reset(profileOf(saved))
      toast.success(account.saved)
    },
    onFault(error) {
      refuseFields(form, error)
      toast.failed(error, account.saveFailed)
    },
  })
  // A country code without a number is nothing that could be stored.
  const isNewMobile =
    form.values.phone_number.trim() === ''
      ? form.saved['phone_number'] !== ''
      : form.isChanged('phone_number') || form.isChanged('country_code')
  const others = ['first_name', 'last_name', 'nationality'] as const
  const hasChanged = isNewMobile || others.some(form.isChanged)
  return { form, hasChanged, loadPhoneNumbers: phoneNumbers.load }
}

function profileOf(user: User) {
  const { countryCode, phoneNumber } = fromMobile(user.mobile, user.nationality)
  return {
    first_name: user.first_name,
    last_name: user.last_name,
    nationality: user.nationality,
    phone_number: phoneNumber,
    country_code: countryCode,
  }
}
