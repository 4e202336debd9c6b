import type { User } from '#contract/shapes.ts'
import { usersContract } from '#contract/users.ts'
import { FormButtons } from '#web/features/account/form-buttons.tsx'
import { useTwoFactor } from '#web/session/two-factor.ts'
import { codeOf } from '#web/ui/fields/code-field.tsx'
import { ProofFields } from '#web/ui/fields/proof-fields.tsx'
import { refuseFields } from '#web/lib/refuse-fields.ts'
import { erasureSchema } from '#web/features/account/schemas.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'

/** Deletes the account once the owner has read the consequences and proved who they are. */
export function EraseForm({ user, onClose }: { user: User; onClose: () => void }) {
  const security = useSecurityTexts()
  const asksForCode = useTwoFactor().data?.is_on ?? false
  const form = useErasure(user, asksForCode)
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {security.eraseConsequences.map((consequence) => (
          <li key={consequence}>{consequence}</li>
        ))}
      </ul>
      <div className="flex flex-col gap-2">
        <TextField
          {...form.text('word')}
          label={security.eraseType(security.eraseWord)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <ProofFields form={form} asksForCode={asksForCode} />
      </div>
      <FormButtons
        action={security.erase}
        isBusy={form.isSubmitting}
        isDangerous
        onCancel={onClose}
      />
    </form>
  )
}

function useErasure(user: User, asksForCode: boolean) {
  const security = useSecurityTexts()
  const session = useSession()
  const form = useForm({
    schema: erasureSchema(useMessages(), security, asksForCode),
    initial: { word: '', password: '', code: '' },
    async onSubmit({ password, code }) {
      await session.callAs(usersContract.eraseUser, {
        params: { id: user.id },
        body: { password, ...(code !== '' && { code: codeOf(code) }) },
      })
      toast.success(security.erased)
      session.clear()
    },
    onFault(error) {
      refuseFields(form, error, { WrongPassword: 'password', WrongCode: 'code' })
      toast.failed(error, security.eraseFailed)
    },
  })
  return form
}
