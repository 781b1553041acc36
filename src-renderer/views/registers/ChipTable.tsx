import { useCallback, useEffect, useRef, useState } from 'react'
import { formatAddress, formatByte } from '@shared/c64/address'
import { chips, type ChipId } from '@shared/c64/chips'
import { decodeChip, type Readability } from '@shared/c64/registers'
import { spriteRegisters } from '@shared/c64/sprites'
import { openByteMenu } from '../../client/byteMenu'
import { useSelectedSprite } from '../../client/selectedSprite'
import { frames, useDraw } from '../../frames/frames'
import { useFrontMachine } from '../../client/machines'
import { heatOf } from '../../widgets/heat'
import { moveAlong } from '../../widgets/moveAlong'
import { setText } from '../../widgets/setText'
import { rgb, themeColours } from '../../widgets/themeColours'
import { showInMemory } from '../../client/memoryCursor'
import { BitEditor } from './BitEditor'

const INTERVAL_MS = 100

const readabilityMarks: Readonly<Record<Readability, { mark: string; title: string } | null>> = {
  read: null,
  latched: { mark: 'L', title: 'Latched: a read returns what the chip counted or saw, not what was written.' },
  writeOnly: {
    mark: 'W',
    title: 'Write-only: an emulator shows the last write; a real chip cannot return it.',
  },
}

interface ChipTableProps {
  readonly chip: ChipId
  readonly visible: boolean
}

/** The rows are rendered once; their text follows the frames. */
export function ChipTable({ chip, visible }: ChipTableProps) {
  const standard = useFrontMachine()?.standard ?? 'pal'
  const body = useRef<HTMLTableSectionElement>(null)
  const drawn = useRef(-Infinity)
  const sprite = useSelectedSprite((selected) => selected.sprite)
  const marked = chip === 'vic' && sprite !== null ? spriteRegisters(sprite) : []
  useEffect(() => {
    if (chip === 'vic' && sprite !== null && visible)
      body.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [chip, sprite, visible])

  useDraw(
    visible,
    useCallback(
      (now: number) => {
        if (!body.current || !frames.known('io')) return
        if (now - drawn.current < INTERVAL_MS) {
          frames.requestDraw()
          return
        }
        drawn.current = now
        if (writeRows(body.current, chip, standard)) frames.requestFade()
      },
      [chip, standard],
    ),
  )

  const [focused, setFocused] = useState<number>(chips[chip].start)
  const [edited, setEdited] = useState<number | null>(null)
  const anchor = useRef<HTMLElement>(null)
  const editBits = (address: number) => {
    const row = body.current?.rows[address - chips[chip].start]
    anchor.current = row?.cells[2] ?? null
    setEdited(address)
  }

  return (
    <>
      <table className="chip">
        <thead className="hidden-visually">
          <tr>
            <th>Address</th>
            <th>Register</th>
            <th>Value</th>
            <th>Meaning</th>
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={(event) => moveAlong(event, 'button', 'column')}>
          {decodeChip(chip, emptyIo, standard).map(({ address, name, description, readable }) => (
            <tr
              key={address}
              aria-current={marked.includes(address) ? true : undefined}
              onContextMenu={(event) =>
                openByteMenu(
                  event,
                  { address, space: 'io', value: frames.image('io')[address] },
                  { extra: [{ label: 'Show the bits', why: null, run: () => editBits(address) }] },
                )
              }
            >
              <td className="data">
                <button
                  type="button"
                  className="link"
                  title="Show in memory"
                  tabIndex={address === focused ? 0 : -1}
                  onFocus={() => setFocused(address)}
                  onClick={() => showInMemory(address)}
                >
                  {formatAddress(address)}
                </button>
              </td>
              <th scope="row" title={description}>
                {name}
                <Mark of={readable} />
              </th>
              <td className="data chip-value" title="Show the bits" onClick={() => editBits(address)} />
              <td className="chip-meaning" />
            </tr>
          ))}
        </tbody>
      </table>
      {edited === null ? null : (
        <BitEditor chip={chip} address={edited} anchor={anchor} onClose={() => setEdited(null)} />
      )}
    </>
  )
}

const emptyIo = new Uint8Array(0x1000)

function Mark({ of }: { readonly of: Readability }) {
  const mark = readabilityMarks[of]
  return mark === null ? null : (
    <abbr className="muted" title={mark.title}>
      {mark.mark}
    </abbr>
  )
}

function writeRows(body: HTMLTableSectionElement, chip: ChipId, standard: 'pal' | 'ntsc'): boolean {
  const io = frames.image('io').subarray(0xd000, 0xe000)
  const changedAt = frames.changedAt('io')
  const tint = themeColours()['changed-soft']
  let fading = false
  decodeChip(chip, io, standard).forEach(({ address, value, meaning }, index) => {
    const row = body.rows[index]
    const [, , valueCell, meaningCell] = row?.cells ?? []
    if (!valueCell || !meaningCell) return
    setText(valueCell, formatByte(value))
    setText(meaningCell, meaning)
    const heat = heatOf(frames.changeTime - (changedAt[address] ?? -Infinity))
    valueCell.style.background = heat === 0 ? '' : rgb(tint, heat)
    fading ||= heat > 0
  })
  return fading
}

export const chipTitles: Readonly<Record<ChipId, string>> = {
  vic: `VIC-II ${formatAddress(chips.vic.start)}`,
  cia1: `CIA 1 ${formatAddress(chips.cia1.start)}`,
  cia2: `CIA 2 ${formatAddress(chips.cia2.start)}`,
  sid: `SID ${formatAddress(chips.sid.start)}`,
}
