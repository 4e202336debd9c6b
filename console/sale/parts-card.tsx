import { useQuery } from '@tanstack/react-query'
import type { SalePart } from '#contract/operator/sale-files.ts'
import { Loaded } from '#console/kit/loaded.tsx'
import { Time } from '#console/kit/values.tsx'
import { Card, LabelledLine } from '#web/ui/layout/card.tsx'
import { Disclosure } from '#web/ui/layout/disclosure.tsx'
import { salePartsQuery } from './sale-queries.ts'

/** A value that is an instant and nothing else. */
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

const groups: readonly { kind: SalePart['kind']; title: string }[] = [
  { kind: 'stage', title: 'Limits and bonuses of stages' },
  { kind: 'payment token', title: 'Payment tokens' },
  { kind: 'promotion', title: 'Promotions' },
  { kind: 'banner', title: 'Banners' },
  { kind: 'sale', title: 'Rules of the sale' },
  { kind: 'project', title: 'Project' },
]

export function PartsCard() {
  const query = useQuery(salePartsQuery)
  return (
    <Card title="As applied">
      <Loaded query={query} what="The applied sale" skeleton="h-68">
        {({ data }) => (
          <div className="flex flex-col divide-y divide-hairline">
            {groups.map(({ kind, title }) => (
              <Group key={kind} title={title} parts={data.filter((part) => part.kind === kind)} />
            ))}
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function Group({ title, parts }: { title: string; parts: readonly SalePart[] }) {
  const isNamed = parts.some(({ name }) => name !== '')
  return (
    <Disclosure
      title={title}
      aside={isNamed && <span className="text-14 text-quiet">{parts.length}</span>}
    >
      {parts.length === 0 ? (
        <p className="pb-4 text-14 text-quiet">The sale file has none.</p>
      ) : (
        <div className="grid gap-x-12 gap-y-4 pb-4 lg:grid-cols-2">
          {parts.map(({ name, fields }) => (
            <section key={name} className="min-w-0">
              {name !== '' && <h3 className="text-14 font-strong">{name}</h3>}
              <dl>
                {fields
                  .filter(({ field, value }) => field !== 'name' || value !== name)
                  .map(({ field, value }) => (
                    <LabelledLine
                      key={field}
                      label={<span className="wrap-anywhere">{field}</span>}
                    >
                      <span className="text-14">
                        {INSTANT.test(value) ? <Time value={value} /> : value}
                      </span>
                    </LabelledLine>
                  ))}
              </dl>
            </section>
          ))}
        </div>
      )}
    </Disclosure>
  )
}
