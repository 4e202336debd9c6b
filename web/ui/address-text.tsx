import { classNames } from '#web/ui/style/class-names.ts'

/**
 * An address or hash in groups of four, the first and last emphasised, since people compare those.
 * Copied by hand it is one word: the gaps are margins, not spaces.
 */
export function AddressText({ value }: { value: string }) {
  const { prefix, groups } = addressGroups(value)
  return (
    <span className="font-mono text-14 break-words">
      {prefix !== '' && <span className="mr-1.5 text-quiet">{prefix}</span>}
      {groups.map(({ text, at }) => {
        const isEnd = at === 0 || at === groups.length - 1
        return (
          <span
            key={at}
            className={classNames('mr-1.5 last:mr-0', isEnd ? 'font-strong' : 'text-quiet')}
          >
            {text}
            <wbr />
          </span>
        )
      })}
    </span>
  )
}

const GROUP_LENGTH = 4

interface AddressGroups {
  /** What all addresses of the kind begin with, up to the last dash or colon; often empty. */
  prefix: string
  /**
   * The rest in groups of four. An incomplete group comes before the last one, which is always
   * whole.
   */
  groups: { text: string; at: number }[]
}

/** An address or hash in the pieces that people compare. */
export function addressGroups(address: string): AddressGroups {
  const [, prefix = '', rest = ''] = /^(.*[-:])?([^-:]*)$/.exec(address) ?? []
  const tailAt = Math.max(0, rest.length - GROUP_LENGTH)
  const texts = [...chunks(rest.slice(0, tailAt)), rest.slice(tailAt)].filter((text) => text !== '')
  return { prefix, groups: texts.map((text, at) => ({ text, at })) }
}

function chunks(text: string): string[] {
  return text.match(new RegExp(`.{1,${GROUP_LENGTH}}`, 'g')) ?? []
}

/** An address that should be checked once more before it is used. */
export function AddressBox({ value }: { value: string }) {
  return (
    <p className="w-full rounded-control border border-hairline bg-raised px-3 py-2">
      <AddressText value={value} />
    </p>
  )
}
