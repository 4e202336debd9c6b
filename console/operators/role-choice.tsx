import { type Role, roleNames } from '#domain/operators/permissions.ts'
import { Segmented } from '#web/ui/fields/segmented.tsx'

const words: Record<Role, string> = {
  viewer: 'Sees how the sale stands, purchases, refunds and the audit log; changes nothing.',
  support: 'Also sees people, helps them with their login, and holds purchases.',
  finance: 'Also releases and fails purchases, marks refunds as paid, pauses the sale and exports.',
  owner: 'May do everything, including applying sale files and deciding who the operators are.',
}

const options = roleNames.map((value) => ({ value, label: value }))

export function RoleChoice({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-14 font-medium" aria-hidden="true">
        Role
      </p>
      <Segmented label="Role" options={options} value={role} onChange={onChange} />
      <p className="min-h-[2lh] text-14 text-quiet" aria-live="polite">
        {words[role]}
      </p>
    </div>
  )
}
