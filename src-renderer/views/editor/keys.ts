import type { KeyboardEvent } from 'react'
import { choose } from '../../client/chosen'
import { valuesOf } from '../../client/viewChoices'
import { perform } from '../../client/actions'
import type { ActionId } from '@shared/actions'
import { editor } from './controller'
import { useEditor } from './editorState'
import { tools } from './tools'

export const editorKeys = {
  'editor.undo': 'Ctrl+Z',
  'editor.redo': 'Ctrl+Y',
  'editor.copy': 'Ctrl+C',
  'editor.paste': 'Ctrl+V',
  'editor.selectAll': 'Ctrl+A',
  'editor.clear': 'Delete',
  'editor.mirrorX': 'H',
  'editor.mirrorY': 'V',
  'editor.rotate': 'D',
  'editor.invert': 'I',
  'editor.exchange': 'X',
  'editor.multicolour': 'M',
  'editor.reverse': 'N',
  'editor.shiftLeft': 'Alt+ArrowLeft',
  'editor.shiftRight': 'Alt+ArrowRight',
  'editor.shiftUp': 'Alt+ArrowUp',
  'editor.shiftDown': 'Alt+ArrowDown',
} as const satisfies Partial<Record<ActionId, string>>

export type KeyedAction = keyof typeof editorKeys

const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

const isKeyedAction = (id: string): id is KeyedAction => Object.hasOwn(editorKeys, id)
const keyedActions = Object.keys(editorKeys).filter(isKeyedAction)

/** Windows reports AltGr as Ctrl and Alt, too. */
const isAltGraph = (event: KeyboardEvent): boolean => event.getModifierState('AltGraph')

function chordOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  const name = key.length === 1 ? key.toUpperCase() : key
  return `${ctrlKey || metaKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${name}`
}

export function pressEditorKey(event: KeyboardEvent): boolean {
  const { key, shiftKey } = event
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey
  if ((!hasModifier || isAltGraph(event)) && editor.type(key)) return true
  const chord = chordOf(event)
  const redoes = chord === 'Ctrl+Z' && shiftKey
  const action = redoes ? 'editor.redo' : keyedActions.find((id) => editorKeys[id] === chord)
  if (action) {
    perform(action)
    return true
  }
  if (hasModifier) return false
  const arrow = arrows[key]
  if (arrow) editor.moveBy(...arrow, shiftKey)
  else if (key === ' ') editor.pressKey()
  else if (key === 'Escape') return editor.escape()
  else if (key === '+' || key === '-') zoomBy(key === '+' ? 1 : -1)
  else return chooseByKey(event)
  return true
}

function chooseByKey({ code, key, shiftKey }: KeyboardEvent): boolean {
  const tool = valuesOf('editor.tool').find((each) => tools[each].key === key.toUpperCase())
  if (tool && (tool !== 'text' || editor.isScreen)) {
    choose('editor.tool', tool)
    return true
  }
  const digit = /^Digit(\d)$/.exec(code)?.[1]
  if (digit === undefined) return false
  const number = Number(digit)
  if (editor.kind === 'sprites' || editor.kind === 'characters') {
    const known = useEditor.getState().swatches.some(({ value }) => value === number)
    if (known) useEditor.setState({ value: number })
    return known
  }
  if (number < 1 || number > 8) return false
  const colour = number - 1 + (shiftKey ? 8 : 0)
  useEditor.setState(editor.isScreen ? { colour } : { value: colour })
  return true
}

let shown = { zoom: 1, most: 1 }
export const tellZoom = (zoom: number, most: number): void => {
  shown = { zoom, most }
}

export const zoomBy = (step: number): void =>
  useEditor.setState({ zoom: Math.max(1, Math.min(shown.most, shown.zoom + step)) })
