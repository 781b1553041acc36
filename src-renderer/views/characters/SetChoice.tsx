import { formatAddress } from '@shared/c64/address'
import { AddressField } from '../../client/AddressField'
import { useSetPlace, type SetPlace } from './choices'
import type { SetInMemory } from './useSets'

const banks = [0, 1, 2, 3]
const STEP = 0x800

interface SetChoiceProps {
  readonly sets: readonly SetInMemory[]
  readonly shownAt: () => number
}

export function SetChoice({ sets, shownAt }: SetChoiceProps) {
  const [place, setPlace] = useSetPlace()
  const isListed = typeof place !== 'number' || place % STEP === 0
  return (
    <>
      <select
        className="field"
        aria-label="Set"
        value={String(place)}
        onChange={({ target }) => setPlace(placeOf(target.value))}
      >
        <option value="null">VIC-II’s set</option>
        <option value="upper">ROM capitals</option>
        <option value="lower">ROM small letters</option>
        {isListed ? null : <option value={place}>{formatAddress(place)}</option>}
        {banks.map((bank) => (
          <optgroup key={bank} label={`Bank ${bank}`}>
            {sets.slice(bank * 8, bank * 8 + 8).map((set) => (
              <option key={set.address} value={set.address}>
                {describe(set)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <AddressField
        label="Set at"
        value={typeof place === 'number' ? place : null}
        placeholder="address"
        step={STEP}
        from={shownAt}
        onChange={setPlace}
      />
    </>
  )
}

function placeOf(value: string): SetPlace {
  if (value === 'upper' || value === 'lower') return value
  return value === 'null' ? null : Number(value)
}

function describe({ address, isUsed, isLikely, isBehindRom }: SetInMemory): string {
  const marks = [isUsed ? 'in use' : '', isLikely && !isUsed ? 'likely' : '', isBehindRom ? 'VIC-II sees ROM' : '']
  return [formatAddress(address), marks.filter(Boolean).join(', ')].filter(Boolean).join(' – ')
}
