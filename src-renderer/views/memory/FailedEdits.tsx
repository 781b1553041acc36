import { formatAddress } from '@shared/c64/address'
import { Button } from '../../widgets/Button'
import { discardFailed, retryFailed, useEdits } from './edits'

/** What was typed and did not reach the machine, with the reason; it stays until it is tried again or given up. */
export function FailedEdits() {
  const { failed } = useEdits()
  const last = failed.at(-1)
  if (!last) return null
  const bytes = failed.reduce((sum, { edit }) => sum + edit.after.length, 0)
  const first = formatAddress(failed[0]?.edit.address ?? 0)
  return (
    <div className="memory-failed" role="alert">
      <p>
        <strong>
          {bytes === 1 ? `The byte typed at ${first} was` : `${bytes} bytes typed from ${first} on were`} not written.
        </strong>{' '}
        {last.failure.message} {last.failure.hint}
      </p>
      <Button label="Try again" onClick={retryFailed} />
      <Button label="Discard" onClick={discardFailed} />
    </div>
  )
}
