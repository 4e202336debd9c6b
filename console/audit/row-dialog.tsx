import { useNavigate } from 'react-router'
import type { OperatorAction } from '#contract/operator/shapes.ts'
import { actText } from '#domain/operators/act-text.ts'
import { labelOf } from '#console/approvals/approval-texts.ts'
import { CopiedHash, DateLine } from '#console/kit/values.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { LabelledLine } from '#web/ui/layout/card.tsx'
import { whoText } from './who-text.ts'

/** A row of the log with all that it says. Opening it is a step that the back button undoes. */
export function RowDialog({ action, closeTo }: { action: OperatorAction; closeTo: string }) {
  const navigate = useNavigate()
  // The router counts the pages that links within the console have opened in this tab.
  const isOpenedHere = (window.history.state?.idx ?? 0) > 0
  const facts = {
    Call: action.act,
    From: action.address,
    'Operator’s id': action.operator_id,
    Purchase: action.purchase_id,
    User: action.user_id,
  }
  const details = Object.entries(action.details)
  return (
    <Dialog
      isOpen
      title={`Row ${action.id}: ${actText(action.act)}`}
      closesOnBack={false}
      onClose={() => void (isOpenedHere ? navigate(-1) : navigate(closeTo, { replace: true }))}
    >
      <dl className="flex flex-col divide-y divide-hairline">
        <DateLine label="When" date={action.date} />
        <LabelledLine label="Who">{whoText(action)}</LabelledLine>
        {Object.entries(facts).map(([label, value]) =>
          value === null || value === '' ? null : (
            <LabelledLine key={label} label={label}>
              {value}
            </LabelledLine>
          ),
        )}
        {details.map(([name, value]) => (
          <LabelledLine key={name} label={labelOf(name)}>
            {value}
          </LabelledLine>
        ))}
      </dl>
      <CopiedHash label="Hash" value={action.hash} />
    </Dialog>
  )
}
