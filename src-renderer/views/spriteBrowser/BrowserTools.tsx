import { formatAddress, parseTypedAddress } from '@shared/c64/address'
import { defaultGuessLimits } from '@shared/graphics/blockShape'
import { Pencil, Save, Upload } from 'lucide-react'
import { ActionButton } from '../../client/ActionButton'
import { ChoiceSegments } from '../../client/ChoiceSegments'
import { ChoiceSelect } from '../../client/ChoiceSelect'
import { useChosen } from '../../client/chosen'
import { namesNow } from '../../client/labels'
import type { ViewChoiceKey } from '../../client/viewChoices'
import { Check } from '../../widgets/Check'
import { LineField } from '../../widgets/LineField'
import { MorePopover } from '../../widgets/MorePopover'
import { NumberField } from '../../widgets/NumberField'
import { GrabButton } from './GrabTools'
import { MAX_CELL_SPRITES, useBrowserNumbers, type BrowserNumbers } from './browserOptions'

type Change = (changes: Partial<BrowserNumbers>) => void

interface Part {
  readonly numbers: BrowserNumbers
  readonly change: Change
}

export function BrowserTools() {
  const [numbers, setNumbers] = useBrowserNumbers()
  const [range] = useChosen('spriteBrowser.range')
  const change: Change = (changes) => setNumbers({ ...numbers, ...changes })
  return (
    <div className="toolbar">
      <ChoiceSelect choice="spriteBrowser.range" />
      {range === 'own' ? <OwnRange numbers={numbers} change={change} /> : null}
      <ChoiceSegments choice="spriteBrowser.show" />
      <ChoiceSegments choice="spriteBrowser.mode" />
      <MoreOptions numbers={numbers} change={change} />
      <ActionButton id="spriteBrowser.edit" label="Edit" icon={Pencil} />
      <ActionButton id="spriteBrowser.keep" label="Keep in the sheet" icon={Save} />
      <ActionButton id="graphics.export" label="Export" icon={Upload} />
      <GrabButton />
    </div>
  )
}

const OwnRange = ({ numbers, change }: Part) => (
  <>
    <RangeEnd label="From" value={numbers.start} onChange={(start) => change({ start })} />
    <RangeEnd label="to" value={numbers.end} onChange={(end) => change({ end })} />
  </>
)

interface RangeEndProps {
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => void
}

const RangeEnd = ({ label, value, onChange }: RangeEndProps) => (
  <LineField
    label={label}
    className="number-field"
    value={formatAddress(value)}
    problemOf={(text) => (addressIn(text) === null ? 'no address' : null)}
    onChange={(text) => onChange(addressIn(text) ?? value)}
  />
)

function addressIn(text: string): number | null {
  try {
    return parseTypedAddress(text, namesNow())
  } catch {
    return null
  }
}

const MoreOptions = (part: Part) => (
  <MorePopover tip="More: zoom, layout, colours, what is likely" className="sprite-browser-more">
    <fieldset>
      <legend>View</legend>
      <Labelled text="Zoom" choice="spriteBrowser.zoom" />
      <Labelled text="Grab the animation of" choice="spriteBrowser.grab" />
    </fieldset>
    <LayoutOptions {...part} />
    <ColourOptions />
    <LimitOptions {...part} />
  </MorePopover>
)

function LayoutOptions({ numbers, change }: Part) {
  const { stride, cell } = numbers
  const ofCell = (changes: Partial<BrowserNumbers['cell']>) => change({ cell: { ...cell, ...changes } })
  return (
    <fieldset>
      <legend>Layout</legend>
      <NumberField
        label="Stride, bytes"
        value={stride}
        min={1}
        max={4096}
        isWhole
        onChange={(value) => change({ stride: value ?? stride })}
      />
      <NumberField
        label="Sprites across"
        value={cell.columns}
        min={1}
        max={MAX_CELL_SPRITES}
        isWhole
        onChange={(value) => ofCell({ columns: value ?? cell.columns })}
      />
      <NumberField
        label="Sprites down"
        value={cell.rows}
        min={1}
        max={MAX_CELL_SPRITES}
        isWhole
        onChange={(value) => ofCell({ rows: value ?? cell.rows })}
      />
      <Check
        label="Pairs lie over each other"
        checked={cell.isOverlay}
        onChange={(isOverlay) => ofCell({ isOverlay })}
      />
      <Labelled text="Memory" choice="spriteBrowser.memory" />
    </fieldset>
  )
}

const ColourOptions = () => (
  <fieldset>
    <legend>Colours</legend>
    <Labelled text="Blocks not seen in use" choice="spriteBrowser.colour" />
    <Labelled text="Multicolour 1" choice="spriteBrowser.multicolour1" />
    <Labelled text="Multicolour 2" choice="spriteBrowser.multicolour2" />
    <Labelled text="Background" choice="spriteBrowser.background" />
  </fieldset>
)

const Labelled = ({ text, choice }: { readonly text: string; readonly choice: ViewChoiceKey }) => (
  <label>
    {text}
    <ChoiceSelect choice={choice} />
  </label>
)

function LimitOptions({ numbers, change }: Part) {
  const { limits } = numbers
  const ofLimits = (changes: Partial<BrowserNumbers['limits']>) => change({ limits: { ...limits, ...changes } })
  return (
    <fieldset>
      <legend>Likely</legend>
      <NumberField
        label="Set bits at least"
        value={limits.minSetBits}
        min={0}
        max={504}
        isWhole
        onChange={(value) => ofLimits({ minSetBits: value ?? defaultGuessLimits.minSetBits })}
      />
      <NumberField
        label="Set bits at most"
        value={limits.maxSetBits}
        min={0}
        max={504}
        isWhole
        onChange={(value) => ofLimits({ maxSetBits: value ?? defaultGuessLimits.maxSetBits })}
      />
      <NumberField
        label="Filled rows at least"
        value={limits.minNonZeroRows}
        min={0}
        max={21}
        isWhole
        onChange={(value) => ofLimits({ minNonZeroRows: value ?? defaultGuessLimits.minNonZeroRows })}
      />
      <NumberField
        label="Continuity at least, %"
        value={Math.round(limits.minContinuity * 100)}
        min={-100}
        max={100}
        isWhole
        onChange={(value) => ofLimits({ minContinuity: (value ?? 0) / 100 })}
      />
      <NumberField
        label="Repeated rows at most, %"
        value={Math.round(limits.maxRepetition * 100)}
        min={0}
        max={100}
        isWhole
        onChange={(value) => ofLimits({ maxRepetition: (value ?? 100) / 100 })}
      />
      <p className="muted">Continuity: 100 % where rows resemble each other, about 0 % for code and text.</p>
      <Check
        label="Not one byte throughout"
        checked={limits.skipUniform}
        onChange={(skipUniform) => ofLimits({ skipUniform })}
      />
      <Check
        label="Equal blocks once"
        checked={limits.skipDuplicates}
        onChange={(skipDuplicates) => ofLimits({ skipDuplicates })}
      />
    </fieldset>
  )
}
