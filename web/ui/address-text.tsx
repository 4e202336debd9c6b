import { addressGroups } from './address-groups.ts'
import { classNames } from './style/class-names.ts'

/**
 * An address or hash in groups of four, the first and the last strong, as people compare those.
 * Copied by hand it is one word: the gaps are margins, not spaces.
 */
export function AddressText({ value, className }: { value: string; className?: string }) {
  const { prefix, groups } = addressGroups(value)
  return (
    <span className={classNames('font-mono text-14 break-words', className)}>
      {prefix !== '' && <span className="mr-1.5 text-quiet">{prefix}</span>}
      {groups.map(({ text, at }) => {
        const isEnd = at === 0 || at === groups.length - 1
        return (
          <span key={at} className={classNames('mr-1.5', isEnd ? 'font-strong' : 'text-quiet')}>
            {text}
            <wbr />
          </span>
        )
      })}
    </span>
  )
}
