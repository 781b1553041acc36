import { Button } from '../../../widgets/Button'
import { dayAndTime } from '../../../widgets/times'

/** @param at ms since 1970; null where nothing was kept */
export const KeptDraft = ({ at, onDiscard }: { readonly at: number | null; readonly onDiscard: () => void }) =>
  at === null ? null : (
    <p className="edit-draft" role="status">
      Draft kept from {dayAndTime(at)} <Button label="Discard draft" onClick={onDiscard} />
    </p>
  )
