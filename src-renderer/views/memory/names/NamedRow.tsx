import { useEffect, useState } from 'react'
import { formatAddress } from '@shared/c64/address'
import { labelAt } from '@shared/c64/banking'
import { heldBy, heldText, type NamedByte, type Naming } from '@shared/c64/namedBytes'
import type { Space } from '@shared/contract/memory'
import { frames } from '../../../frames/frames'
import { FADE_MS, heatAt, hotKindAt, type Heat } from '../../../widgets/heat'
import { rgb, themeColours } from '../../../widgets/themeColours'
import { visibleText } from '../../../widgets/visibleText'
import { overlayAt } from '../edits'
import { softColours } from '../hexGrid/paintTints'
import { HeldField } from './HeldField'

interface NamedRowProps {
  readonly row: NamedByte
  readonly read: (address: number) => number
  readonly naming: Pick<Naming, 'names' | 'places'>
  readonly heat: Heat
  readonly place: { readonly machine: string; readonly space: Space }
  /** What is typed in place of the value; null for nothing. */
  readonly typing: string | null
  readonly onTyped: () => void
}

/** One byte or word: its bytes, its name, and what it points to. */
export function NamedRow({ row, read, naming, heat, place, typing, onTyped }: NamedRowProps) {
  const { address, length, kind, name, description } = row
  const addresses = length === 1 ? [address] : [address, address + 1]
  const held = heldBy(row, read)
  useFading(addresses.some((each) => heatAt(heat, frames.changeTime, each) > 0) && heat.heldFrom === null)
  const target = kind === 'pointer' ? labelAt(naming.places, held, naming.names)?.name : undefined
  return (
    <span className="named-row" data-address={address} title={description ?? undefined}>
      <span className="muted">{formatAddress(address).slice(1)}</span>
      <span className="named-bytes">
        {addresses.map((each) => (
          <span key={each} className={stateOf(place, each)} style={{ background: tint(heat, each) }}>
            {read(each).toString(16).toUpperCase().padStart(2, '0')}
          </span>
        ))}
      </span>
      {typing === null ? (
        <>
          <span className="named-name">{visibleText(name ?? '')}</span>
          <span className="named-held">
            {kind === 'byte' ? '' : `${kind === 'pointer' ? '→ ' : ''}${heldText(row, held)}`}{' '}
            {visibleText(target ?? '')}
          </span>
          <span className="named-description muted">{description}</span>
        </>
      ) : (
        <HeldField
          first={typing === '' ? heldText(row, held).slice(1) : typing}
          row={row}
          place={place}
          onDone={onTyped}
        />
      )}
    </span>
  )
}

const stateOf = ({ machine, space }: NamedRowProps['place'], address: number): string | undefined =>
  overlayAt(machine, space, address)?.state

/** As the hex view paints it. */
function tint(heat: Heat, address: number): string | undefined {
  const share = heatAt(heat, frames.changeTime, address)
  return share === 0 ? undefined : rgb(themeColours()[softColours[hotKindAt(heat, address)]], share)
}

const FADE_STEP_MS = 200

/** Renders again while it fades, as no frame may come that does. */
function useFading(isFading: boolean): void {
  const [, setStep] = useState(0)
  useEffect(() => {
    if (!isFading) return undefined
    const timer = setInterval(() => setStep((step) => (step + 1) % FADE_MS), FADE_STEP_MS)
    return () => clearInterval(timer)
  }, [isFading])
}
