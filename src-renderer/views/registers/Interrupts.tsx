import { formatLocation, labelIn, parseLocation } from '@shared/c64/banking'
import { interruptShares, type InterruptSpan } from '@shared/c64/profile/interruptTimeline'
import type { Interrupts as Found } from '@shared/contract/running'
import { call } from '../../client/call'
import { useNames } from '../../client/labels'
import { useFrontName, useLack, useLimit } from '../../client/machines'
import { showInMemory } from '../../client/memoryCursor'
import { Button } from '../../widgets/Button'
import { Problem } from '../../widgets/Problem'
import { useFollowing } from './useFollowing'

export function Interrupts() {
  const machine = useFrontName()
  const lack = useLack('interrupts')
  const limit = useLimit('interrupts')
  const { data, failure, isBusy, start, cancel } = useFollowing(machine, (signal) =>
    call('running.interrupts', { machine, frames: 1 }, { signal }),
  )
  if (lack !== null) return <p className="view-note">{lack}</p>
  return (
    <>
      <div className="register-buttons">
        {isBusy ? (
          <Button label="Cancel" onClick={cancel} />
        ) : (
          <Button label="Show one frame" why={limit} onClick={start} />
        )}
      </div>
      <Problem className="register-problem" failure={failure} />
      {data ? <Frame found={data} /> : null}
    </>
  )
}

function Frame({ found }: { readonly found: Found }) {
  const names = useNames()
  const { spans, cycles, cyclesPerLine, linesPerFrame } = found
  const frame = cyclesPerLine * linesPerFrame
  if (cycles < frame) return <p className="view-note">The machine stopped before the frame had passed.</p>
  const share = (part: number): string => `${((part / frame) * 100).toFixed(2)} %`
  const nameOf = (handler: number): string => {
    const { space, address } = parseLocation(handler)
    return labelIn(space, address, names)?.name ?? formatLocation(handler)
  }
  const taken = interruptShares(spans).reduce((all, each) => all + each.cycles, 0)
  if (spans.length === 0) return <p className="view-note">No interrupt in this frame.</p>
  return (
    <>
      <Strip found={found} nameOf={nameOf} />
      <p className="view-note">{share(taken)} of the frame in interrupts.</p>
      <table className="data interrupt-list" aria-label="Interrupts of the frame">
        <thead>
          <tr>
            <th scope="col">Lines</th>
            <th scope="col">In</th>
            <th scope="col">Handler</th>
            <th scope="col">Cycles</th>
            <th scope="col">Of the frame</th>
            <th scope="col" title="Cycles from the request to when it was taken, at most">
              Waited
            </th>
          </tr>
        </thead>
        <tbody>
          {spans.map((span) => (
            <tr key={span.start}>
              <td>{linesOf(span, found)}</td>
              <td>{inOf(span)}</td>
              <td>
                <button
                  type="button"
                  className="link"
                  title="Show in memory"
                  onClick={() => showInMemory(parseLocation(span.handler).address)}
                >
                  {nameOf(span.handler)}
                </button>
              </td>
              <td>{span.cycles}</td>
              <td>{share(span.cycles)}</td>
              <td>{span.waited ?? 'unknown'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const inOf = ({ kind, depth }: InterruptSpan): string => `${kind.toUpperCase()}${depth > 0 ? ' within another' : ''}`

function linesOf({ start, end }: InterruptSpan, { cyclesPerLine }: Found): string {
  const lineOf = (cycle: number): number => Math.floor(cycle / cyclesPerLine)
  return `${lineOf(start)}–${end === null ? '' : lineOf(end)}`
}

const BAR = 10

function Strip({ found, nameOf }: { readonly found: Found; readonly nameOf: (handler: number) => string }) {
  const { spans, cycles, cyclesPerLine, linesPerFrame } = found
  const rows = Math.max(...spans.map(({ depth }) => depth)) + 1
  return (
    <svg
      className="interrupt-strip"
      viewBox={`0 0 ${linesPerFrame} ${rows * BAR}`}
      style={{ height: rows * BAR * 2 }}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Raster lines 0 to ${linesPerFrame - 1}; the list below has each interrupt`}
    >
      {spans.map((span) => {
        const { start, end, depth, kind, handler } = span
        const from = start / cyclesPerLine
        const to = Math.min(linesPerFrame, (end ?? cycles) / cyclesPerLine)
        return (
          <rect key={start} className={kind} x={from} y={depth * BAR} width={Math.max(0.5, to - from)} height={BAR}>
            <title>{`${inOf(span)} ${nameOf(handler)}, lines ${linesOf(span, found)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}
