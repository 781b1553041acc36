import { useEffect, useEffectEvent, useRef } from 'react'
import { withoutInstruction } from '@shared/byteAccess'
import { describeAddress, formatAddress, formatChange } from '@shared/c64/address'
import { labelIn, type AccessSpace } from '@shared/c64/banking'
import { cycleText } from '@shared/c64/cycleText'
import { counted } from '@shared/countedText'
import { nameOperandIn } from '@shared/c64/disassembler'
import type { ByteAccess, ByteHistory as History, ByteWrite, ByteWriter } from '@shared/contract/timeTravel'
import { call } from '../../client/call'
import { useNames } from '../../client/labels'
import { useFrontMachine, useFrontName, useLack, useLimit } from '../../client/machines'
import { showInMemory, useCursor } from '../../client/memoryCursor'
import { attempt } from '../../client/messages'
import { useAnswer } from '../../client/useAnswer'
import { useFrameWish } from '../../frames/frames'
import { namesShown } from '../../frames/places'
import { Button } from '../../widgets/Button'
import { useClock } from '../../widgets/useClock'
import { changePath } from './changePath'
import { ByteUses } from './ByteUses'
import { NotedWrites } from './NotedWrites'

/** How often a running machine is asked, ms: each question holds it up for some of its frames. */
const INTERVAL_MS = 2_000
/** Between two parts of the search for older writers in a paused machine, ms. */
const SEARCH_PAUSE_MS = 100

export function ByteHistory({ visible }: { readonly visible: boolean }) {
  const machine = useFrontName()
  const state = useFrontMachine()
  const address = useCursor((cursor) => cursor.address)
  const questions = useCursor((cursor) => cursor.questions)
  const names = useNames()
  const part = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (visible && questions > 0) part.current?.scrollIntoView({ block: 'nearest' })
  }, [visible, questions])
  useFrameWish(visible, ['cpu'])
  const lack = useLack('timeTravel')
  const limit = useLimit('timeTravel')
  const running = state?.execution === 'running'
  const tick = useClock(visible && running && limit === null, INTERVAL_MS)
  const version = running ? String(tick) : `${state?.past?.now} ${state?.past?.end}`
  const { data, failure, again } = useAnswer(
    `${machine} ${address}`,
    visible && limit === null,
    (signal) => call('timeTravel.byteHistory', { machine, address }, { signal }),
    version,
  )
  const askAgain = useEffectEvent(again)
  useEffect(() => {
    if (!visible || running || !data?.isSearching) return undefined
    const timer = setTimeout(askAgain, SEARCH_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [visible, running, data])
  return (
    <div ref={part} className="byte-history">
      <div className="byte-history-head">
        <strong className="data">{describeAddress(address, namesShown(names, 'cpu'))}</strong>
        {lack === null ? (
          <Button
            label="Go back to its last write"
            why={limit}
            onClick={() => attempt(() => call('timeTravel.toWrite', { machine, address }))}
          />
        ) : null}
      </div>
      <ByteUses address={address} visible={visible} />
      {lack === null ? null : <NotedWrites address={address} visible={visible} />}
      {failure ? <p className="view-note">{failure.message}</p> : null}
      {data ? <Facts history={data} /> : null}
    </div>
  )
}

function Facts({ history }: { readonly history: History }) {
  const { clock, clockRate, seen, written, lastWrite, lastRead, lastRun, changes, since } = history
  const ago = (when: number): string => `${cycleText(clock - when, clockRate)} ago`
  const searched = cycleText(clock - since, clockRate)
  return (
    <>
      <table className="data">
        <tbody>
          <Row
            what="Written"
            when={lastWrite && ago(lastWrite.clock)}
            access={lastWrite}
            change={lastWrite}
            space={written}
          />
          <Row what="Read" when={lastRead && ago(lastRead.clock)} access={lastRead} space={seen} />
          <Row what="Run" when={lastRun === null ? null : ago(lastRun)} />
        </tbody>
      </table>
      <Writers history={history} ago={ago} />
      <div className="byte-history-head">
        <span className="muted">
          {changes.length === 0 ? `No change in the last ${searched}` : `Last changes, newest first`}
        </span>
        {changes.length < 2 ? null : (
          <svg className="byte-history-chart" viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden>
            <path d={changePath(changes)} />
          </svg>
        )}
      </div>
      <div className="byte-changes scroll-pane" tabIndex={0} role="group" aria-label="Last changes">
        <table className="data">
          <tbody>
            {changes.map((change) => (
              <Row key={change.clock} when={ago(change.clock)} access={change} change={change} space={written} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Writers({ history, ago }: { readonly history: History; readonly ago: (when: number) => string }) {
  const { clock, clockRate, writers, writersSince, written } = history
  return (
    <>
      <span className="muted">
        {writers.length === 0 ? 'No writer' : counted(writers.length, 'writer')} in the last{' '}
        {cycleText(clock - writersSince, clockRate)}
      </span>
      <table className="data" aria-label="Writers">
        <tbody>
          {writers.map((writer) => (
            <Row
              key={keyOf(writer)}
              what={`${writer.count} ×`}
              when={ago(writer.clock)}
              access={writer}
              change={writer}
              space={written}
            />
          ))}
        </tbody>
      </table>
    </>
  )
}

const keyOf = ({ by, cause }: ByteWriter): string => (by ? `${by.space} ${by.address}` : String(cause))

interface RowProps {
  readonly what?: string
  readonly when: string | null
  readonly access?: ByteAccess | null
  readonly change?: ByteWrite | null
  readonly space?: AccessSpace
}

function Row({ what, when, access = null, change = null, space = 'ram' }: RowProps) {
  const names = useNames()
  return (
    <tr>
      {what === undefined ? null : <th scope="row">{what}</th>}
      <td className="byte-when">{when ?? 'not seen'}</td>
      <td className="byte-change">{change ? formatChange(change) : ''}</td>
      <td>
        {access?.by ? (
          <button type="button" className="code-address" title="Show in memory" onClick={showOf(access.by.address)}>
            {formatAddress(access.by.address)}
          </button>
        ) : access ? (
          withoutInstruction(access.cause)
        ) : null}
      </td>
      <td title={access?.by?.text}>
        {access?.by ? nameOperandIn(access.by.text, (at) => labelIn(space, at, names)?.name) : ''}
      </td>
    </tr>
  )
}

const showOf = (address: number) => (): void => showInMemory(address)
