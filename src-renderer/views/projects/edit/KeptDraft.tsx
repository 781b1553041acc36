import { Button } from '../../../widgets/Button'
import { clockText } from '../../../widgets/clockText'

/** Says that the form has what was typed before. @param at ms since 1970; null where nothing was kept */
export const KeptDraft = ({ at, onDiscard }: { readonly at: number | null; readonly onDiscard: () => void }) =>
  at === null ? null : (
    <p className="edit-draft" role="status">
      Draft kept from {clockText(at)} <Button label="Discard draft" onClick={onDiscard} />
    </p>
  )
