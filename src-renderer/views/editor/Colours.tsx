import { actions } from '@shared/actions'
import { colourName, colourNames, cssColour } from '@shared/c64/palettes'
import type { Swatch } from '@shared/graphics/edit/model'
import { perform } from '../../client/actions'
import type { Edited } from '../../client/edited'
import { useColours } from '../../frames/screenOptions'
import { Button } from '../../widgets/Button'
import { Tip } from '../../widgets/Tip'
import { editor } from './controller'
import { useEditor } from './editorState'
import { CharacterPalette } from './CharacterPalette'
import { editorKeys } from './keys'

interface ColoursProps {
  readonly edited: Edited
  readonly visible: boolean
  readonly limit: string | null
}

export function Colours({ edited, visible, limit }: ColoursProps) {
  const { swatches, value, colour, isMulticolour, note } = useEditor()
  const drawsBits = edited.kind === 'sprites' || edited.kind === 'characters'
  const key = (index: number) => (index < 8 ? String(index + 1) : `Shift+${index - 7}`)
  return (
    <section className="editor-side" aria-label="Colours">
      {note === null ? null : <p className="editor-note">{note}</p>}
      {isMulticolour === null ? null : (
        <Button
          label="Multicolour"
          tip="Hires or multicolour: the bytes stay, their bits are read otherwise"
          pressed={isMulticolour}
          shortcut={editorKeys['editor.multicolour']}
          why={limit}
          onClick={() => perform('editor.multicolour')}
        />
      )}
      {drawsBits ? null : (
        <>
          <h3>Draw with</h3>
          <SixteenColours
            label="Colour to draw with"
            chosen={edited.kind === 'screen' ? colour : value}
            keyOf={key}
            why={null}
            onChoose={(chosen) => useEditor.setState(edited.kind === 'screen' ? { colour: chosen } : { value: chosen })}
          />
        </>
      )}
      {edited.kind === 'screen' ? <ScreenCharacters visible={visible} /> : null}
      {swatches.map((swatch) => (
        <SwatchRow
          key={swatch.label}
          swatch={swatch}
          isChosen={drawsBits && swatch.value === value}
          onDraw={drawsBits ? () => useEditor.setState({ value: swatch.value }) : null}
          limit={limit}
        />
      ))}
    </section>
  )
}

/** The last swatch of extended colour text is its fourth background. */
const BACKGROUNDS = 4

function ScreenCharacters({ visible }: Pick<ColoursProps, 'visible'>) {
  const { code, swatches } = useEditor()
  const isExtended = swatches.length === BACKGROUNDS
  return (
    <>
      <Button
        label={isExtended ? `On background ${code >> 6}` : 'Reversed'}
        tip={actions['editor.reverse'].title}
        shortcut={editorKeys['editor.reverse']}
        {...(isExtended ? {} : { pressed: code >= 0x80 })}
        onClick={() => perform('editor.reverse')}
      />
      <CharacterPalette visible={visible} />
    </>
  )
}

interface SwatchRowProps {
  readonly swatch: Swatch
  readonly isChosen: boolean
  readonly onDraw: (() => void) | null
  readonly limit: string | null
}

function SwatchRow({ swatch, isChosen, onDraw, limit }: SwatchRowProps) {
  const palette = useColours()
  const { label, source, colour, shares, at, isLow } = swatch
  const chip = <i style={{ background: cssColour(palette, colour) }} aria-hidden />
  const text = (
    <>
      {chip}
      <span className="data">{label}</span>
      <span className="muted">{source === label ? colourName(colour) : `${source} ${colourName(colour)}`}</span>
    </>
  )
  return (
    <div className="editor-swatch" data-chosen={isChosen}>
      {onDraw ? (
        <Tip text={`Draw with ${label}`} shortcut={String(swatch.value)}>
          <button type="button" className="button plain" aria-pressed={isChosen} onClick={onDraw}>
            {text}
          </button>
        </Tip>
      ) : (
        <div className="editor-swatch-text">{text}</div>
      )}
      <SixteenColours
        label={`Colour of ${label}`}
        chosen={colour}
        why={at === null ? null : limit}
        whyHigh={isLow === true ? 'A character in multicolour text takes the first eight colours.' : null}
        {...(shares === null ? {} : { effect: `${source}, for ${shares}` })}
        onChoose={(chosen) => editor.setColour(swatch, chosen)}
      />
    </div>
  )
}

interface SixteenColoursProps {
  readonly label: string
  readonly chosen: number
  readonly why: string | null
  readonly whyHigh?: string | null
  readonly effect?: string
  readonly keyOf?: (colour: number) => string
  readonly onChoose: (colour: number) => void
}

function SixteenColours({ label, chosen, why, whyHigh = null, effect, keyOf, onChoose }: SixteenColoursProps) {
  const palette = useColours()
  const whyOf = (colour: number) => why ?? (colour > 7 ? whyHigh : null)
  return (
    <div className="editor-sixteen" role="group" aria-label={label}>
      {colourNames.map((name, colour) => (
        <Tip
          key={name}
          text={effect === undefined ? name : `${name}: ${effect}`}
          shortcut={keyOf?.(colour)}
          why={whyOf(colour)}
        >
          <button
            type="button"
            aria-label={name}
            aria-pressed={colour === chosen}
            aria-disabled={whyOf(colour) === null ? undefined : true}
            style={{ background: cssColour(palette, colour) }}
            onClick={whyOf(colour) === null ? () => onChoose(colour) : undefined}
          />
        </Tip>
      ))}
    </div>
  )
}
