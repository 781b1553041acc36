import { RotateCcw } from 'lucide-react'
import { useMemo } from 'react'
import { colourNames, cssColour } from '@shared/c64/palettes'
import { MAX_GRID } from '@shared/graphics/photo/options'
import { ChoiceSegments } from '../../client/ChoiceSegments'
import { ChoiceSelect } from '../../client/ChoiceSelect'
import { useChosen } from '../../client/chosen'
import { valuesOf } from '../../client/viewChoices'
import { useColours, usePaletteLimit } from '../../frames/screenOptions'
import { Button } from '../../widgets/Button'
import { NumberField } from '../../widgets/NumberField'
import { saveLimit, type SaveAs } from './savePicture'
import { useStudio } from './studio'
import { changeNumbers, resetNumbers, useStudioNumbers, type StudioNumbers } from './studioOptions'

export function StudioOptions() {
  const [target] = useChosen('studio.target')
  const [fit] = useChosen('studio.fit')
  const [dither] = useChosen('studio.dither')
  const limit = usePaletteLimit()
  const artwork = useStudio((studio) => studio.conversion?.artwork)
  const limits = useMemo(() => {
    const tried = (choice: SaveAs) => (artwork ? saveLimit(artwork, choice) : null)
    return new Map<string, string | null>(valuesOf('studio.saveAs').map((choice) => [choice, tried(choice)]))
  }, [artwork])
  const saveWhy = (choice: string) => limits.get(choice) ?? null
  const isMulticolour = target === 'multicolourCharacters' || target === 'multicolourSprites'
  const isSprites = target === 'sprites' || target === 'multicolourSprites'
  return (
    <section className="studio-options" role="group" tabIndex={0} data-panel-focus aria-label="Picture studio">
      <Row name="Convert to">
        <ChoiceSelect choice="studio.target" />
      </Row>
      {isSprites ? <Grid /> : null}
      <Row name="Size">
        <ChoiceSegments choice="studio.fit" />
      </Row>
      {fit === 'stretch' ? null : (
        <>
          <Amount name="Across" field="x" min={0} max={1} step={0.05} />
          <Amount name="Down" field="y" min={0} max={1} step={0.05} />
        </>
      )}
      <Row name="Pixels">
        <ChoiceSegments choice="studio.aspect" />
      </Row>
      <Amount name="Brightness" field="brightness" min={-100} max={100} step={5} />
      <Amount name="Contrast" field="contrast" min={-100} max={100} step={5} />
      <Amount name="Saturation" field="saturation" min={-100} max={100} step={5} />
      <Row name="Dithering">
        <ChoiceSelect choice="studio.dither" />
      </Row>
      {dither === 'off' ? null : <Amount name="Strength" field="strength" min={0} max={100} step={5} />}
      <Row name="Palette">
        <ChoiceSelect choice="screen.palette" why={limit} />
      </Row>
      <SharedColour name="Background" field="background" />
      {isMulticolour ? (
        <>
          <SharedColour name="Multicolour 1" field="multicolour1" />
          <SharedColour name="Multicolour 2" field="multicolour2" />
        </>
      ) : null}
      <Row name="Save as">
        <ChoiceSelect choice="studio.saveAs" why={saveWhy} />
      </Row>
      <Button label="Reset" icon={RotateCcw} onClick={resetNumbers} />
    </section>
  )
}

const Row = ({ name, children }: { readonly name: string; readonly children: React.ReactNode }) => (
  <div className="studio-option">
    <span className="muted">{name}</span>
    {children}
  </div>
)

function Grid() {
  const { columns, rows } = useStudioNumbers()
  const range = { min: 1, max: MAX_GRID, isWhole: true }
  return (
    <Row name="Sprites">
      <span className="studio-grid">
        <NumberField
          {...range}
          label="Sprites across"
          value={columns}
          onChange={(value) => value !== null && changeNumbers({ columns: value })}
        />
        x
        <NumberField
          {...range}
          label="Sprites down"
          value={rows}
          onChange={(value) => value !== null && changeNumbers({ rows: value })}
        />
      </span>
    </Row>
  )
}

type AmountField = 'x' | 'y' | 'brightness' | 'contrast' | 'saturation' | 'strength'

interface AmountProps {
  readonly name: string
  readonly field: AmountField
  readonly min: number
  readonly max: number
  readonly step: number
}

function Amount({ name, field, ...range }: AmountProps) {
  const value = useStudioNumbers()[field]
  return (
    <label className="studio-option">
      <span className="muted">{name}</span>
      <input
        type="range"
        {...range}
        value={value}
        onChange={({ target }) => changeNumbers({ [field]: Number(target.value) })}
      />
      <output className="data">{range.max === 1 ? `${Math.round(value * 100)} %` : value}</output>
    </label>
  )
}

type ColourField = keyof Pick<StudioNumbers, 'background' | 'multicolour1' | 'multicolour2'>

function SharedColour({ name, field }: { readonly name: string; readonly field: ColourField }) {
  const value = useStudioNumbers()[field]
  const palette = useColours()
  return (
    <Row name={name}>
      <span className="studio-colour">
        <select
          className="field"
          aria-label={name}
          value={value ?? ''}
          onChange={({ target }) => changeNumbers({ [field]: target.value === '' ? null : Number(target.value) })}
        >
          <option value="">Best</option>
          {colourNames.map((colour, n) => (
            <option key={colour} value={n}>
              {n} {colour}
            </option>
          ))}
        </select>
        {value === null ? null : <i aria-hidden style={{ background: cssColour(palette, value) }} />}
      </span>
    </Row>
  )
}
