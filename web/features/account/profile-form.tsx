import type { User } from '#contract/shapes.ts'
import { isRefusal, messageOf } from '#web/lib/call-error.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { refuseFields } from './refuse-fields.ts'
import { toast } from '#web/ui/toast-store.ts'
import { fromMobile, toMobile } from './countries.ts'
import { DialCodeSelect, NationalitySelect } from './country-select.tsx'
import { PhoneField } from './phone-field.tsx'
import { profileSchema } from './schemas.ts'

/** The user's own fields. The address of the login is shown and cannot be changed. */
export function ProfileForm({ user }: { user: User }) {
  const messages = useMessages()
  const { account, forms } = messages
  const { updateUser } = useSession()
  const { countryCode, phoneNumber } = fromMobile(user.mobile, user.nationality)
  const form = useForm({
    schema: profileSchema(messages),
    initial: {
      first_name: user.first_name,
      last_name: user.last_name,
      nationality: user.nationality,
      phone_number: phoneNumber,
      country_code: countryCode,
    },
    async onSubmit(fields) {
      const next = {
        first_name: fields.first_name.trim(),
        last_name: fields.last_name.trim(),
        nationality: fields.nationality,
        mobile: toMobile(fields.country_code, fields.phone_number) ?? null,
      }
      try {
        await updateUser(changedFields(user, next))
        form.markSaved()
        toast.success(account.saved)
      } catch (error) {
        if (isRefusal(error, 'InvalidInput')) refuseFields(form, error.errors)
        toast.error(messageOf(error, account.saveFailed))
      }
    },
  })

  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-2">
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <TextField {...form.text('first_name')} label={forms.firstName} autoComplete="given-name" />
        <TextField {...form.text('last_name')} label={forms.lastName} autoComplete="family-name" />
      </div>
      <TextField
        label={forms.email}
        value={user.email}
        type="email"
        readOnly
        hint={account.emailNotChangeable}
      />
      <NationalitySelect {...form.choice('nationality')} />
      <PhoneField
        {...form.text('phone_number')}
        dialCode={<DialCodeSelect {...form.choice('country_code')} />}
      />
      <Button
        type="submit"
        disabled={!form.isDirty}
        isBusy={form.isSubmitting}
        className="w-full sm:w-auto sm:self-start"
      >
        {account.saveChanges}
      </Button>
    </form>
  )
}

type Profile = Pick<User, 'first_name' | 'last_name' | 'nationality' | 'mobile'>

/** Only what differs is sent. */
function changedFields(before: Profile, after: Profile): Partial<Profile> {
  const changed = Object.entries(after).filter(
    ([name, value]) => before[name as keyof Profile] !== value,
  )
  return Object.fromEntries(changed)
}
