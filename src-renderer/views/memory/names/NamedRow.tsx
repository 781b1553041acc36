import { formatAddress } from '@shared/c64/address'
import { labelAt } from '@shared/c64/banking'
import { heldBy, heldText, type NamedByte, type Naming } from '@shared/c64/namedBytes'
import type { Space } from '@shared/contract/memory'
import { frames } from '../../../frames/frames'
import { heatAt, hotKindAt, type Heat } from '../../../widgets/heat'
import { rgb, themeColours } from '../../../widgets/themeColours'
import { visibleText } from '../../../widgets/visibleText'
import { overlayAt } from '../edits'
import { softColours } from '../hexGrid/paintTints'

interface NamedRowProps {
  readonly row: NamedByte
  readonly read: (address: number) => number
  readonly naming: Pick<Naming, 'names' | 'places'>
  readonly heat: Heat
  readonly place: { readonly machine: string; readonly space: Space }
}

export function NamedRow({ row, read, naming, heat, place }: NamedRowProps) {
  const { address, length, kind, name, description } = row
  const addresses = length === 1 ? [address] : [address, address + 1]
  const held = heldBy(row, read)
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
      <span>{visibleText(name ?? '')}</span>
      <span>
        {kind === 'pointer' ? '→ ' : ''}
        {kind === 'byte' ? '' : `${heldText(row, held)} `}
        {target === undefined ? '' : `${visibleText(target)} `}
        <span className="muted">{description}</span>
      </span>
    </span>
  )
}

const stateOf = ({ machine, space }: NamedRowProps['place'], address: number): string | undefined =>
  overlayAt(machine, space, address)?.state

function tint(heat: Heat, address: number): string | undefined {
  const share = heatAt(heat, frames.changeTime, address)
  return share === 0 ? undefined : rgb(themeColours()[softColours[hotKindAt(heat, address)]], share)
}
