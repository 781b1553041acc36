import { formatAddress } from '@shared/c64/address'
import { labelFor } from '@shared/c64/memoryMap'
import type { Space } from '@shared/contract/memory'
import type { RecordingInfo } from '@shared/contract/recorder'
import { call } from '../../client/call'
import { useAnswer } from '../../client/useAnswer'
import { showChangeOf, type Values } from '../../frames/timeline'
import { Button } from '../../widgets/Button'

/** How many bytes are offered in place of one that never changed. */
const OFFERED_BYTES = 5

const tipOf = ({ address, changes }: { readonly address: number; readonly changes: number }): string =>
  `${labelFor(address)?.name ?? ''} changed ${changes === 1 ? 'once' : `${changes} times`}`.trim()

interface ChangeHintProps {
  readonly info: RecordingInfo
  readonly space: Space
  readonly address: number
  readonly values: Values | null
}

export function ChangeHint({ info: { recording, open }, space, address, values }: ChangeHintProps) {
  const stoodStill = values !== null && values.exact && values.points.length === 1 && values.damages.length === 0
  const { data } = useAnswer(`${recording} ${space}`, stoodStill && !open, (signal) =>
    call('recorder.mostChanged', { recording, space, limit: OFFERED_BYTES }, { signal }),
  )
  const [first, ...others] = stoodStill ? (data?.bytes ?? []) : []
  return (
    <div className="timeline-hint muted" role="group" aria-label="Bytes that changed">
      {values?.points.length === 0 ? 'This byte was not recorded. ' : ''}
      {stoodStill
        ? `${formatAddress(address)} did not change in this recording. `
        : 'The byte is the one at the memory view’s cursor.'}
      {first ? (
        <Button
          label={`Show a change of ${formatAddress(first.address)}`}
          tip={tipOf(first)}
          onClick={() => showChangeOf(first.address)}
        />
      ) : null}
      {others.map((byte) => (
        <Button
          key={byte.address}
          label={formatAddress(byte.address)}
          look="plain"
          tip={tipOf(byte)}
          onClick={() => showChangeOf(byte.address)}
        />
      ))}
    </div>
  )
}
