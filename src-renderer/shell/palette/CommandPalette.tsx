import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { memo, useMemo, useState } from 'react'
import { useActionTitles } from '../../client/actionTitles'
import { returnFocus } from '../../client/focusReturn'
import { useLabels } from '../../client/labels'
import { useMachines } from '../../client/machines'
import { useSettings } from '../../client/settings'
import { useTasks } from '../../client/tasks'
import { useTheme } from '../../client/theme'
import { chosenNow } from '../../client/chosen'
import { useBorders, useCrt, usePaletteLimit, useScaling, useBeam, useSpriteStrip } from '../../frames/screenOptions'
import { useAccessesTold } from '../../views/memory/heatKind'
import { useProjects } from '../../views/projects/store'
import { useShellState } from '../shellState'
import type { SwitchedStates } from './actionMarks'
import { goTo } from './goTo'
import { allItems, labelItems, typedItems } from './items'
import type { PaletteItem } from './paletteItem'
import { indexed, rank } from './rank'
import { recentKeys, rememberChosen } from './recent'

const MAX_SHOWN = 50

const setOpen = (paletteIsOpen: boolean) => useShellState.setState({ paletteIsOpen })

export function CommandPalette() {
  const open = useShellState((state) => state.paletteIsOpen)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="dialog palette" aria-describedby={undefined} onCloseAutoFocus={returnFocus}>
          <Dialog.Title className="hidden-visually">Command palette</Dialog.Title>
          <Palette />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function choose({ key, goal }: PaletteItem): void {
  rememberChosen(key)
  setOpen(false)
  // After the dialog has closed and given the focus back, so that the goal can move it.
  setTimeout(() => goTo(goal))
}

function Palette() {
  const [typed, setTyped] = useState('')
  const [recent] = useState(recentKeys)
  const entries = useEntries()
  const { table, names } = useLabels()
  const { items, count } = useMemo(
    () => rank([...entries, ...indexed(labelItems(typed, table))], typed, recent, MAX_SHOWN),
    [entries, typed, recent, table],
  )
  const meant = typedItems(typed, names)
  return (
    <Command label="Commands" shouldFilter={false} loop>
      <Command.Input
        value={typed}
        onValueChange={setTyped}
        placeholder="Find a command, task, run, recording, label, setting… Also: d020, or vice:6502"
      />
      <Command.List aria-label="Results">
        {meant.length + count > 0 ? null : <p className="palette-none">No matches.</p>}
        {[...meant, ...items].map((item) => (
          <Item key={item.key} item={item} />
        ))}
      </Command.List>
      {count > items.length ? (
        <p className="palette-more muted" role="status">
          {count - items.length} more. Type to narrow them down.
        </p>
      ) : null}
    </Command>
  )
}

/** Taken once when the palette opens, as the figures of machines change many times a second. */
function useEntries() {
  const [{ machines, front }] = useState(useMachines.getState)
  const tasks = useTasks((state) => state.tasks)
  const projects = useProjects((state) => state.projects)
  const runs = useProjects((state) => state.runs)
  const hasRun = useProjects(({ choice }) => choice !== null)
  const paletteLimit = usePaletteLimit()
  const accessesTold = useAccessesTold()
  const titles = useActionTitles((state) => state.titles)
  const choices = useMemo(
    () => ({ chosen: chosenNow, hasRun, paletteLimit, accessesTold }),
    [hasRun, paletteLimit, accessesTold],
  )
  const settings = useSettings()
  const switched = useSwitchedStates()
  return useMemo(
    () => indexed(allItems({ titles, machines, front, tasks, projects, runs, choices, settings, switched })),
    [titles, machines, front, tasks, projects, runs, choices, settings, switched],
  )
}

function useSwitchedStates(): SwitchedStates {
  const theme = useTheme((state) => state.theme)
  const isWhole = useScaling() === 'whole'
  const hasBorders = useBorders() === 'shown'
  const isCrt = useCrt()
  const hasSprites = useSpriteStrip()
  const hasBeam = useBeam()
  return useMemo(
    () => ({ theme, isWhole, hasBorders, isCrt, hasSprites, hasBeam }),
    [theme, isWhole, hasBorders, isCrt, hasSprites, hasBeam],
  )
}

const Item = memo(function Item({ item }: { readonly item: PaletteItem }) {
  const { key, kind, title, detail, shortcut, limit } = item
  return (
    <Command.Item value={key} disabled={limit !== null} onSelect={() => choose(item)}>
      <span className="muted palette-kind">{kind}</span>
      <span className="palette-title">{title}</span>
      <span className="muted palette-detail" title={limit ?? detail}>
        {limit ?? detail}
      </span>
      {shortcut === undefined ? null : <kbd>{shortcut}</kbd>}
    </Command.Item>
  )
})
