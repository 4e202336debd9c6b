import { type ReactNode, useId } from 'react'
import { authContract } from '#contract/auth.ts'
import { NewPasswordField } from '#web/features/account/new-password-field.tsx'
import { DEFAULT_COUNTRY } from '#web/features/account/phone/countries.ts'
import { NationalitySelect } from '#web/features/account/phone/country-select.tsx'
import { PhoneField } from '#web/features/account/phone/phone-field.tsx'
import { mobileOf, usePhoneNumbers } from '#web/features/account/phone/use-phone-numbers.ts'
import { refuseFields } from '#web/lib/refuse-fields.ts'
import { registrationSchema } from '#web/features/account/schemas.ts'
import { startVerificationCooldown } from '#web/features/account/verification/verification-cooldown.ts'
import { isRefusal } from '#web/lib/api/call.ts'
import { paths } from '#web/lib/paths.ts'
import { useForm } from '#web/lib/use-form.ts'
import { currentLanguage } from '#web/messages/language.ts'
import { useAccountPageTexts } from '#web/messages/use-account-page-texts.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button, TextLink } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { plainAmount } from '#web/ui/fields/accept-amount.ts'
import { AmountField } from '#web/ui/fields/amount-field.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { dropReferral, readReferral } from './kept-referral.ts'

const USD_DECIMALS = 6
/** What the amount begins with; specification section 5. */
const NO_AMOUNT = '0'

interface RegisterFormProps {
  /** The id of the user whose link led here. */
  referredBy: string | undefined
  /** Whether nothing can be bought any more. */
  isSaleOver: boolean
  currencyPicker: ReactNode
  /** Shortcuts to an amount, shown below its field. */
  renderAmountPresets: (amount: string, choose: (amount: string) => void) => ReactNode
  /** Where the new user goes with the amount. */
  landing: (usdAmount: string) => string
}

const emptyForm = {
  first_name: '',
  last_name: '',
  email: '',
  password: '',
  phone_number: '',
  country_code: DEFAULT_COUNTRY,
  nationality: '',
  usd_amount: NO_AMOUNT,
  terms_accepted: false,
}

/** Creates an account; the purchase chosen here is carried over to the buy page. */
export function RegisterForm(props: RegisterFormProps) {
  const { register: texts } = useAccountPageTexts()
  const { form, loadPhoneNumbers } = useRegistration(props)

  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-8">
      <AccountFields form={form} />
      <FormGroup title={texts.aboutYou} note={texts.aboutYouNote}>
        <PhoneField
          number={form.text('phone_number')}
          country={form.choice('country_code')}
          onFocus={loadPhoneNumbers}
        />
        <NationalitySelect {...form.choice('nationality')} />
      </FormGroup>
      <FormGroup
        title={texts.purchaseDetails}
        note={props.isSaleOver ? texts.purchaseNoteEnded : texts.purchaseNote}
      >
        <div className="mb-4">{props.currencyPicker}</div>
        <AmountField
          {...form.text('usd_amount')}
          label={texts.purchaseAmount}
          decimals={USD_DECIMALS}
          prefix="$"
          // As quiet as a placeholder until an amount is chosen.
          className={form.values.usd_amount === NO_AMOUNT ? 'text-quiet' : ''}
          onFocus={(event) => event.currentTarget.select()}
        />
        {props.renderAmountPresets(form.values.usd_amount, (amount) =>
          form.fill('usd_amount', amount),
        )}
      </FormGroup>
      <div className="flex flex-col gap-2">
        <Checkbox {...form.checkbox('terms_accepted')} label={<TermsLabel />} />
        <Button type="submit" isFullWidth isBusy={form.isSubmitting}>
          {texts.submit}
        </Button>
        <p className="py-2 text-center text-quiet">
          {texts.haveAccount}{' '}
          <TextLink to={paths.login} className="py-2.5">
            {texts.signIn}
          </TextLink>
        </p>
      </div>
    </form>
  )
}

/** Who logs in, and with what. */
function AccountFields({ form }: { form: ReturnType<typeof useRegistration>['form'] }) {
  const { forms } = useMessages()
  const { register: texts } = useAccountPageTexts()
  return (
    <FormGroup title={texts.yourAccount}>
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <TextField {...form.text('first_name')} label={forms.firstName} autoComplete="given-name" />
        <TextField {...form.text('last_name')} label={forms.lastName} autoComplete="family-name" />
      </div>
      <TextField
        {...form.text('email')}
        label={forms.email}
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
      />
      <NewPasswordField {...form.text('password')} label={forms.password} />
    </FormGroup>
  )
}

function useRegistration({ landing, referredBy }: RegisterFormProps) {
  const messages = useMessages()
  const { forms } = messages
  const pages = useAccountPageTexts()
  const { register: texts } = pages
  const session = useSession()
  const phoneNumbers = usePhoneNumbers()
  const form = useForm({
    schema: registrationSchema({ ...messages, ...pages }, phoneNumbers.readMobile),
    initial: emptyForm,
    async onSubmit(fields) {
      const mobile = await mobileOf(fields)
      if (mobile === null) {
        form.refuse('phone_number', forms.phoneInvalid)
        return
      }
      const registration = registrationOf(fields, mobile, referredBy ?? readReferral())
      await session.register(registration, landing(plainAmount(fields.usd_amount)))
      dropReferral()
      toast.success(texts.done)
      await requestVerification()
    },
    onFault(error) {
      if (isRefusal(error, 'EmailTaken')) form.refuse('email', texts.emailTaken)
      refuseFields(form, error)
      toast.error(texts.failed)
    },
  })

  async function requestVerification() {
    try {
      await session.callAs(authContract.sendVerificationEmail, {})
      const state = session.read()
      if (state.status === 'logged-in') startVerificationCooldown(state.user.id)
    } catch (error) {
      toast.failed(error, pages.account.verificationFailed)
    }
  }

  return { form, loadPhoneNumbers: phoneNumbers.load }
}

function registrationOf(
  fields: typeof emptyForm,
  mobile: string | undefined,
  referredBy: string | undefined,
) {
  return {
    first_name: fields.first_name.trim(),
    last_name: fields.last_name.trim(),
    email: fields.email.trim(),
    nationality: fields.nationality,
    password: fields.password,
    ...(mobile !== undefined && { mobile }),
    language: currentLanguage(),
    ...(referredBy !== undefined && { referrals: { referred_by: referredBy } }),
  }
}

/** The form stays as it is; the other tab begins with what this one keeps. */
const inOtherTab = { target: '_blank', rel: 'opener' }

function TermsLabel() {
  const { register } = useAccountPageTexts()
  return (
    <>
      {register.agreeBefore}
      <TextLink to={paths.terms} {...inOtherTab}>
        {register.agreeTerms}
      </TextLink>
      {register.agreeBetween}
      <TextLink to={paths.privacyPolicy} {...inOtherTab}>
        {register.agreePrivacy}
      </TextLink>
    </>
  )
}

interface FormGroupProps {
  title: string
  note?: string
  children: ReactNode
}

/** Fields that belong together, under a title. */
function FormGroup({ title, note, children }: FormGroupProps) {
  const noteId = useId()
  return (
    <fieldset
      aria-describedby={note === undefined ? undefined : noteId}
      className="flex min-w-0 flex-col gap-2"
    >
      <legend className="mb-4 w-full border-b border-hairline pb-2 text-16 font-strong">
        {title}
      </legend>
      {note !== undefined && (
        <p id={noteId} className="mb-2 text-14 text-quiet">
          {note}
        </p>
      )}
      {children}
    </fieldset>
  )
}
