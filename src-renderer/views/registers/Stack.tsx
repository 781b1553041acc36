import { formatAddress, formatByte } from '@shared/c64/address'
import { stackEntries, type StackEntry } from '@shared/c64/stack'
import { openByteMenu } from '../../client/byteMenu'
import { useNames } from '../../client/labels'
import { useFrontMachine, useLack } from '../../client/machines'
import { showInMemory } from '../../client/memoryCursor'
import { NoFrameYet } from '../../frames/NoFrameYet'
import { namesShown } from '../../frames/places'
import { frames, useFrameSummary, useFrameWish } from '../../frames/frames'

const MAX_SHOWN = 24

export function Stack({ visible }: { readonly visible: boolean }) {
  useFrameSummary()
  useFrameWish(visible, ['cpu'])
  const lack = useLack('registers')
  const execution = useFrontMachine()?.execution
  const pointer = frames.registers.find(({ name }) => name === 'SP')?.value
  if (lack !== null) return <p className="view-note">{lack}</p>
  if (pointer === undefined || !frames.known('cpu')) return <NoFrameYet className="view-note" />
  if (execution !== 'paused' && execution !== 'jammed')
    return <p className="view-note">Pause to see what is on the stack.</p>
  const image = frames.image('cpu')
  const entries = stackEntries((address) => image[address] ?? 0, pointer)
  if (entries.length === 0) return <p className="view-note">Nothing is on the stack.</p>
  return (
    <>
      <ol className="stack data" aria-label="Stack, the last byte first">
        {entries.slice(0, MAX_SHOWN).map((entry) => (
          <Entry key={entry.address} entry={entry} />
        ))}
      </ol>
      {entries.length > MAX_SHOWN ? <p className="view-note">{entries.length - MAX_SHOWN} more below.</p> : null}
    </>
  )
}

function Entry({ entry: { address, bytes, call } }: { readonly entry: StackEntry }) {
  const names = useNames()
  const seen = namesShown(names, 'cpu')
  const name = (at: number) => seen.at(at)?.name ?? formatAddress(at)
  return (
    <li onContextMenu={(event) => openByteMenu(event, { address, space: 'cpu', value: bytes[0] })}>
      <button type="button" className="link" title="Show in memory" onClick={() => showInMemory(address)}>
        {formatAddress(address)}
      </button>
      {call === null ? (
        <span>{bytes.map((byte) => formatByte(byte)).join(' ')}</span>
      ) : (
        <span title="A guess: a JSR stands before the address that these two bytes make.">
          return to{' '}
          <button type="button" className="link" title="Show in memory" onClick={() => showInMemory(call.returnsTo)}>
            {formatAddress(call.returnsTo)}
          </button>
          <span className="muted">
            {' '}
            JSR {name(call.to)} at {formatAddress(call.from)}
          </span>
        </span>
      )}
    </li>
  )
}
