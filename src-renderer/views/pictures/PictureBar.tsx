import { ChoiceSegments } from '../../client/ChoiceSegments'
import { ChoiceSelect } from '../../client/ChoiceSelect'
import { useChosen } from '../../client/chosen'
import { AddressField } from '../../client/AddressField'
import type { PictureChoices } from '@shared/graphics/shownPicture'
import { Check } from '../../widgets/Check'
import { FIRST_SET, useBitmapAddress, useCharactersAddress, useScreenAddress } from './choices'
import type { PicturePainter } from './picturePainter'

interface PictureBarProps {
  readonly painter: PicturePainter
  readonly choices: PictureChoices
  readonly grid: boolean
  readonly onGrid: (grid: boolean) => void
}

export function PictureBar({ painter, choices, grid, onGrid }: PictureBarProps) {
  const [screen, setScreen] = useScreenAddress()
  const [bitmap, setBitmap] = useBitmapAddress()
  const [characters, setCharacters] = useCharactersAddress()
  const [set] = useChosen('pictures.characters')
  const [part] = useChosen('pictures.part')
  const isBitmap = choices.mode === 'bitmap' || choices.mode === 'multicolourBitmap'
  return (
    <>
      <div className="toolbar" role="toolbar" aria-label="Picture">
        <ChoiceSegments choice="pictures.part" />
        {part === 'frame' ? null : <ChoiceSelect choice="pictures.mode" />}
        <span className="toolbar-end">
          {part === 'frame' ? null : <Check label="Grid" checked={grid} onChange={onGrid} />}
          <ChoiceSelect choice="pictures.zoom" />
        </span>
      </div>
      <div className="toolbar" role="toolbar" aria-label="Places of the picture" hidden={part === 'frame'}>
        <ChoiceSelect choice="pictures.bank" />
        <span className="muted">Screen</span>
        <AddressField
          label="Screen"
          value={screen}
          placeholder="VIC-II’s"
          step={0x400}
          from={() => painter.shown?.screen ?? 0}
          onChange={setScreen}
        />
        <span className="muted">Bitmap</span>
        <AddressField
          label="Bitmap"
          value={bitmap}
          placeholder="VIC-II’s"
          step={0x2000}
          from={() => painter.shown?.bitmap ?? 0}
          onChange={setBitmap}
        />
        {isBitmap ? null : (
          <>
            <ChoiceSelect choice="pictures.characters" />
            {set === 'ram' ? (
              <AddressField
                label="Characters"
                value={characters ?? FIRST_SET}
                step={0x800}
                from={() => FIRST_SET}
                onChange={setCharacters}
              />
            ) : null}
          </>
        )}
      </div>
    </>
  )
}
