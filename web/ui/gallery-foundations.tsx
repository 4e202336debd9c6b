import { Card } from './layout/card.tsx'
import { classNames } from './style/class-names.ts'
import { Chip } from './feedback/chip.tsx'

const colours = [
  ['ground', 'bg-ground'],
  ['surface', 'bg-surface'],
  ['raised', 'bg-raised'],
  ['hairline', 'bg-hairline'],
  ['edge', 'bg-edge'],
  ['quiet', 'bg-quiet'],
  ['ink', 'bg-ink'],
  ['accent', 'bg-accent'],
  ['success', 'bg-success'],
  ['error', 'bg-error'],
  ['warning', 'bg-warning'],
  ['info', 'bg-info'],
] as const

const sizes = [
  ['39', 'text-39'],
  ['31', 'text-31'],
  ['25', 'text-25'],
  ['20', 'text-20'],
  ['16', 'text-16'],
  ['14', 'text-14'],
  ['12', 'text-12'],
] as const

/** What every component is made of: the colours of the theme, the scale of sizes, the weights. */
export function Foundations() {
  return (
    <>
      <Card title="Colours">
        <ul className="grid grid-cols-3 gap-3 sm:grid-cols-4">
          {colours.map(([name, look]) => (
            <li key={name} className="flex flex-col gap-1 text-12 text-quiet">
              <span className={classNames('h-10 rounded-control border border-hairline', look)} />
              {name}
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Type">
        <ul className="flex flex-col gap-2">
          {sizes.map(([name, look]) => (
            <li key={name} className="flex items-baseline gap-4">
              <span className="w-6 text-12 text-quiet">{name}</span>
              <span className={classNames(look, 'min-w-0 truncate font-strong')}>
                1,250,000.50 HUH
              </span>
            </li>
          ))}
        </ul>
        <p className="flex flex-wrap gap-4">
          <span>Regular</span>
          <span className="font-medium">Medium</span>
          <span className="font-strong">Strong</span>
          <span className="tabular">0123456789</span>
          <span className="font-mono">0x8f3C</span>
        </p>
        <p className="flex flex-wrap gap-2">
          <Chip tone="success">A colour of a status</Chip>
          <Chip tone="error">never stands alone</Chip>
        </p>
      </Card>
    </>
  )
}
