import { formatAddress, formatChange } from '@shared/c64/address'
import { labelIn } from '@shared/c64/banking'
import { nameOperandIn } from '@shared/c64/disassembler'
import { notedTimes, otherWriter, targetText } from '@shared/notedWriteText'
import { MAX_NOTED_BYTES, type NotedByte, type NotedWrite } from '@shared/contract/running'
import { call } from '../../client/call'
import { useNames } from '../../client/labels'
import { useFrontMachine, useFrontName, useLack } from '../../client/machines'
import { showInMemory } from '../../client/memoryCursor'
import { attempt } from '../../client/messages'
import { useAnswer } from '../../client/useAnswer'
import { namesShown } from '../../frames/places'
import { Button } from '../../widgets/Button'
import { timeOfDay } from '../../widgets/times'
import { useClock } from '../../widgets/useClock'

const INTERVAL_MS = 1_000

export function NotedWrites({ address, visible }: { readonly address: number; readonly visible: boolean }) {
  const machine = useFrontName()
  const running = useFrontMachine()?.execution === 'running'
  const hasCheckpoints = useLack('checkpoints') === null
  const hasBus = useLack('debugStream') === null
  const tick = useClock(visible && running, INTERVAL_MS)
  const { data, failure, again } = useAnswer(
    machine,
    visible,
    (signal) => call('running.notedWrites', { machine }, { signal }),
    tick,
  )
  const noted = data?.bytes.find((byte) => byte.address === address)
  const change = (command: 'running.noteWrites' | 'running.endNotes') => () =>
    attempt(async () => {
      await call(command, { machine, address })
      again()
    })
  const isFull = !noted && (data?.bytes.length ?? 0) >= MAX_NOTED_BYTES
  return (
    <>
      <div className="byte-history-head">
        {noted ? (
          <Button label="End the notes" onClick={change('running.endNotes')} />
        ) : (
          <Button
            label="Note its writes"
            why={isFull ? `The writes of ${MAX_NOTED_BYTES} bytes are noted already.` : null}
            onClick={change('running.noteWrites')}
          />
        )}
      </div>
      {failure ? <p className="view-note">{failure.message}</p> : null}
      {noted ? (
        <Noted noted={noted} />
      ) : (
        <p className="view-note">{whatItSees[hasCheckpoints ? 'checkpoint' : hasBus ? 'bus' : 'samples']}</p>
      )}
    </>
  )
}

const whatItSees: Readonly<Record<NotedByte['by'], string>> = {
  checkpoint:
    'Who wrote it is not known. Noted by a checkpoint, each write from then on is listed with its instruction; the machine stops for a moment at each, which slows it.',
  bus: 'Who wrote it is not known. Noted on the bus stream of the Ultimate, each write from then on is listed with its instruction; the machine is left alone, but its video stream has to be off, and what a lost packet held is missed.',
  samples:
    'Who wrote it is not known. Noted by samples, its changes from then on are listed, without who made them; what comes between two samples is missed.',
}

const blindSpots: Readonly<Record<NotedByte['by'], string>> = {
  checkpoint: 'The checkpoint slows the machine. Nothing is known of before.',
  bus: 'Nothing is known of before, nor of what lost packets held.',
  samples: 'What came between two samples, and who wrote it, is not known.',
}

function Noted({ noted }: { readonly noted: NotedByte }) {
  const { address, since, by, reason, count, writes } = noted
  const times = notedTimes(noted)
  return (
    <>
      {reason === null ? null : <p className="view-note">{reason}</p>}
      <span className="muted">
        {`${times.slice(0, 1).toUpperCase()}${times.slice(1)} since ${timeOfDay(since)}. ${blindSpots[by]}`}
      </span>
      <div className="byte-changes scroll-pane" tabIndex={0} role="group" aria-label="Noted writes">
        <table className="data">
          <tbody>
            {writes.map((write, index) => (
              <Row key={count - index} address={address} write={write} source={by} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

interface RowProps {
  readonly address: number
  readonly write: NotedWrite
  readonly source: NotedByte['by']
}

function Row({ address, write, source }: RowProps) {
  const names = useNames()
  const seen = namesShown(names, 'cpu')
  const { time, by, cycle, target } = write
  const nameAt = (at: number) =>
    at === address && (target === 'ram' || target === 'io') ? labelIn(target, at, names)?.name : seen.at(at)?.name
  return (
    <tr>
      <td>{timeOfDay(time)}</td>
      {source === 'bus' ? <td>{cycle === null ? 'cycle ?' : `cycle ${cycle}`}</td> : null}
      <td>{formatChange(write)}</td>
      <td>
        {by ? (
          <button
            type="button"
            className="code-address"
            title="Show in memory"
            onClick={() => showInMemory(by.address)}
          >
            {formatAddress(by.address)}
          </button>
        ) : source === 'samples' ? (
          ''
        ) : (
          otherWriter(write, source)
        )}
      </td>
      <td title={by?.text}>{by ? nameOperandIn(by.text, nameAt) : ''}</td>
      {source === 'bus' ? <td>{targetText(address, target)}</td> : null}
    </tr>
  )
}
