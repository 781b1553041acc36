import { formatAddress } from '@shared/c64/address'
import { useFrontMachine } from '../../client/machines'
import { Button } from '../../widgets/Button'
import { discardFailed, retryFailed, useEdits, writeFailedToRam } from './edits'
import { canTryAgain, inRamInstead } from './history'

export function FailedEdits() {
  const { failed } = useEdits()
  const ramLimit = useFrontMachine()?.capabilities.ramUnderRom ?? null
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
        {last.failure.message} {canTryAgain(last) ? last.failure.hint : ''}
      </p>
      {failed.some(canTryAgain) ? <Button label="Try again" onClick={retryFailed} /> : null}
      {failed.some((edit) => inRamInstead(edit, ramLimit)) ? (
        <Button label="Write to the RAM under it" onClick={writeFailedToRam} />
      ) : null}
      <Button label="Discard" onClick={discardFailed} />
    </div>
  )
}
