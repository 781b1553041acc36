import { useCallback, useRef, useState } from 'react'
import { characterFacts } from '@shared/graphics/characterFacts'
import type { CharactersShown } from '@shared/graphics/charactersShown'
import { useArtworkSource } from '../../client/artworkSources'
import { ChoiceSegments } from '../../client/ChoiceSegments'
import { ChoiceSelect } from '../../client/ChoiceSelect'
import { useChosen } from '../../client/chosen'
import { FactList, type FactListHandle } from '../../client/FactList'
import { useFrontMachine, useLack } from '../../client/machines'
import { showInMemory } from '../../client/memoryCursor'
import { NoFrameYet } from '../../frames/NoFrameYet'
import { NotHere } from '../../client/NotHere'
import type { ViewProps } from '../../client/view'
import { oneOf, useViewState } from '../../client/viewState'
import { graphicsImageNow } from '../../frames/graphicsImage'
import { Check } from '../../widgets/Check'
import { EmptyState } from '../../widgets/EmptyState'
import { CharacterActions } from './CharacterActions'
import { CharacterGrid, type CharactersPaneHandle } from './CharacterGrid'
import { CharacterMap, type Tile } from './CharacterMap'
import { characterSubjects, editCharacters, keepCharacters, unlessLimited, useLimits } from './characterCommands'
import { useMapChoices, useSetPlace } from './choices'
import { MapBar } from './MapBar'
import { MapPainter } from './mapPainter'
import { areaOf, codesOf, type CharacterSelection } from './selection'
import { SetChoice } from './SetChoice'
import { useCharacters } from './useCharacters'
import './characters.css'

const FACT_ROWS = 7
const SET_STEP = 0x800

const readDims = oneOf(false, true)

export function CharactersView({ visible }: ViewProps) {
  const lack = useLack('readMemory')
  return lack === null ? <Characters visible={visible} /> : <NotHere what="characters" why={lack} />
}

function Characters({ visible }: ViewProps) {
  const [part] = useChosen('characters.part')
  const [dims, setDims] = useViewState('characters.dims', readDims)
  const pane = useRef<CharactersPaneHandle>(null)
  const facts = useRef<FactListHandle>(null)
  const chosen = useChosenCharacters(part === 'map')
  const { current, said, sets } = useCharacters(visible, { ...chosen, pane, facts })
  useArtworkSource('characters', () =>
    characterSubjects(graphicsImageNow() === null ? null : current.current, chosen.codes()),
  )
  const step = useSetStep(() => current.current?.address ?? 0)
  const limits = useLimits(said.isRom)
  const ramLimit = useFrontMachine()?.capabilities.ramUnderRom ?? null
  const memoryLimit = chosen.isMap ? null : limits.memory
  const actions = {
    onEdit: () => unlessLimited(limits.edit, () => editCharacters(current.current, chosen.codes(), chosen.columns)),
    onKeep: () => keepCharacters(current.current, chosen.codes()),
    onMemory: () => unlessLimited(memoryLimit, () => showInMemory(chosen.addressIn(current.current?.address ?? 0))),
  }
  return (
    <>
      <div className="toolbar" role="toolbar" aria-label="Characters">
        <ChoiceSegments choice="characters.part" />
        <SetChoice sets={sets} shownAt={() => current.current?.address ?? 0} />
        <ChoiceSelect choice="characters.mode" />
        <ChoiceSelect choice="characters.colour" />
        <span className="toolbar-end">
          <Check label="Dim unused" checked={dims} onChange={setDims} />
        </span>
      </div>
      {chosen.isMap ? <MapBar /> : null}
      <div className="view-content characters-view">
        {said.isKnown ? null : <Waiting />}
        <div className="characters-body" hidden={!said.isKnown}>
          {chosen.isMap ? (
            <CharacterMap ref={pane} painter={chosen.mapPainter} actions={actions} {...chosen.mapProps} />
          ) : (
            <CharacterGrid ref={pane} dims={dims} actions={actions} onStep={step} {...chosen.gridProps} />
          )}
          <div className="character-side">
            <CharacterActions count={chosen.count} editLimit={limits.edit} memoryLimit={memoryLimit} {...actions} />
            <FactList ref={facts} label="Character" rows={FACT_ROWS} />
            <p className="character-notes" role="status">
              {ramLimit === null ? '' : `${ramLimit} Characters under ROM or I/O show what the CPU sees there. `}
              {said.notes}
            </p>
          </div>
        </div>
      </div>
    </>
  )
}

function useChosenCharacters(isMap: boolean) {
  const [selection, setSelection] = useState<CharacterSelection>({ anchor: 0, focus: 0 })
  const [hovered, setHovered] = useState<number | null>(null)
  const [map] = useMapChoices()
  const [chosenTile, setTile] = useState<Tile>({ column: 0, row: 0 })
  const [hoveredTile, setHoveredTile] = useState<Tile | null>(null)
  const [mapPainter] = useState(() => new MapPainter())
  const tile = { column: Math.min(chosenTile.column, map.columns - 1), row: Math.min(chosenTile.row, map.rows - 1) }
  const { column, row } = hoveredTile ?? tile
  const code = hovered ?? selection.focus
  const factsOf = useCallback(
    (shown: CharactersShown) => (isMap ? mapPainter.facts(column, row) : characterFacts(shown, code)),
    [isMap, mapPainter, column, row, code],
  )
  return {
    isMap,
    mapPainter,
    factsOf,
    count: isMap ? map.width * map.height : codesOf(selection).length,
    columns: isMap ? map.width : areaOf(selection).columns,
    codes: () => (isMap ? mapPainter.charactersOf(tile.column, tile.row) : codesOf(selection)),
    addressIn: (set: number) => (isMap ? mapPainter.addressOf(tile.column, tile.row) : set + selection.focus * 8),
    mapProps: { size: map, cursor: tile, onCursor: setTile, onHover: setHoveredTile },
    gridProps: { selection, hovered, onSelect: setSelection, onHover: setHovered },
  }
}

function useSetStep(shownAt: () => number): (steps: number) => void {
  const [place, setPlace] = useSetPlace()
  return (steps) => {
    const at = Math.floor((typeof place === 'number' ? place : shownAt()) / SET_STEP)
    setPlace(((at + steps + 32) % 32) * SET_STEP)
  }
}

function Waiting() {
  return (
    <EmptyState title="No characters yet">
      <NoFrameYet recorded="The recording lacks the memory that characters are in." />
    </EmptyState>
  )
}
