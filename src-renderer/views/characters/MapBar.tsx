import { MAX_TILE_COLUMNS, MAX_TILE_SIDE } from '@shared/graphics/tileLayout'
import { AddressField } from '../../client/AddressField'
import { ChoiceSelect } from '../../client/ChoiceSelect'
import { NumberField } from '../../widgets/NumberField'
import { useMapChoices, useTileLayout, type MapChoices } from './choices'

export function MapBar() {
  const [map, setMap] = useMapChoices()
  const layout = useTileLayout()
  const number = (label: string, key: 'columns' | 'rows' | 'width' | 'height', max: number) => (
    <NumberField
      label={label}
      value={map[key]}
      min={1}
      max={max}
      isWhole
      onChange={(value) => setMap({ ...map, [key]: value ?? 1 } satisfies MapChoices)}
    />
  )
  return (
    <div className="toolbar" role="toolbar" aria-label="Map">
      <span className="muted">Map at</span>
      <AddressField
        label="Map at"
        value={map.address}
        placeholder="screen"
        step={0x100}
        from={() => 0x0400}
        onChange={(address) => setMap({ ...map, address })}
      />
      {number('columns', 'columns', MAX_TILE_COLUMNS)}
      {number('rows', 'rows', MAX_TILE_COLUMNS)}
      <span className="muted">Tile</span>
      {number('wide', 'width', MAX_TILE_SIDE)}
      {number('high', 'height', MAX_TILE_SIDE)}
      <ChoiceSelect choice="characters.tiles" />
      {layout === 'definitions' ? (
        <AddressField
          label="Definitions at"
          value={map.definitions}
          step={0x100}
          from={() => 0x4000}
          onChange={(definitions) => setMap({ ...map, definitions: definitions ?? 0x4000 })}
        />
      ) : null}
    </div>
  )
}
