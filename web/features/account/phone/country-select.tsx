import { useMessages } from '#web/messages/use-messages.ts'
import { useLanguage } from '#web/messages/language.ts'
import { OptionText } from '#web/ui/fields/option-text.tsx'
import { Select, type SelectOption } from '#web/ui/fields/select.tsx'
import {
  countriesIn,
  countryName,
  findCountry,
  type Country,
  type NamedCountry,
} from './countries.ts'

export interface CountrySelectProps {
  value: string
  onChange: (code: string) => void
  onBlur: () => void
  error?: string | undefined
}

/** Whose citizen somebody is. */
export function NationalitySelect(props: CountrySelectProps) {
  const { forms } = useMessages()
  const { language } = useLanguage()
  const chosen = findCountry(props.value)
  return (
    <Select
      {...props}
      value={chosen?.code ?? null}
      shown={
        chosen !== undefined && (
          <OptionText icon={<Flag country={chosen} />} label={countryName(chosen.code, language)} />
        )
      }
      name="nationality"
      autoComplete="country"
      label={forms.nationality}
      placeholder={forms.chooseNationality}
      groups={useGroups(optionOf)}
    />
  )
}

/** The country whose dial code goes before a phone number; closed, it shows only flag and code. */
export function DialCodeSelect(props: CountrySelectProps) {
  const { forms } = useMessages()
  const chosen = findCountry(props.value)
  return (
    <Select
      {...props}
      name="country_code"
      autoComplete="tel-country-code"
      label={forms.countryCode}
      groups={useGroups((country) => ({ ...optionOf(country), detail: country.dialCode }))}
      shown={
        chosen !== undefined && (
          <span className="tabular flex items-center gap-2">
            <Flag country={chosen} />
            {chosen.dialCode}
          </span>
        )
      }
    />
  )
}

function useGroups(toOption: (country: NamedCountry) => SelectOption) {
  const { forms } = useMessages()
  const { language } = useLanguage()
  return () => {
    const countries = countriesIn(language)
    return [
      {
        title: forms.preferredCountries,
        options: countries.filter((country) => country.isPreferred).map(toOption),
      },
      {
        title: forms.allCountries,
        options: countries.filter((country) => !country.isPreferred).map(toOption),
      },
    ]
  }
}

function optionOf(country: NamedCountry): SelectOption {
  return {
    id: country.code,
    label: country.name,
    keywords: `${country.code} ${country.dialCode}`,
    icon: <Flag country={country} />,
  }
}

function Flag({ country }: { country: Country }) {
  if (country.flagUrl === undefined) return <span aria-hidden="true">{country.flag}</span>
  return (
    <img
      src={country.flagUrl}
      alt=""
      width={24}
      height={16}
      loading="lazy"
      className="h-4 w-6 shrink-0 rounded-[2px] object-cover"
    />
  )
}
