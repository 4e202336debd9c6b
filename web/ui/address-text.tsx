import { Fragment } from 'react'
import { classNames } from './class-names.ts'

const GROUP_LENGTH = 4

/**
 * An address or hash in groups of four, the first and the last strong, as people compare those.
 * Copied by hand it is one word: the gaps are margins, not spaces.
 */
export function AddressText({ value, className }: { value: string; className?: string }) {
  const groups = value.match(new RegExp(`.{1,${GROUP_LENGTH}}`, 'gu')) ?? []
  return (
    <span className={classNames('font-mono text-14 break-words', className)}>
      {groups.map((group, index) => {
        const isEnd = index === 0 || index === groups.length - 1
        return (
          <Fragment key={`${index}-${group}`}>
            <span className={classNames('mr-1.5', isEnd ? 'font-strong text-ink' : 'text-quiet')}>
              {group}
            </span>
            <wbr />
          </Fragment>
        )
      })}
    </span>
  )
}
