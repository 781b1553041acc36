import {
  Circle,
  Minus,
  PaintBucket,
  Pencil,
  Square,
  SquareDashedMousePointer,
  SquareSquare,
  Type,
  type LucideIcon,
} from 'lucide-react'
import type { ChosenOf } from '../../client/viewChoices'

export type Tool = ChosenOf<'editor.tool'>

interface ToolLook {
  readonly icon: LucideIcon
  readonly key: string
}

export const tools: Readonly<Record<Tool, ToolLook>> = {
  pencil: { icon: Pencil, key: 'P' },
  line: { icon: Minus, key: 'L' },
  rectangle: { icon: Square, key: 'R' },
  box: { icon: SquareSquare, key: 'B' },
  ellipse: { icon: Circle, key: 'O' },
  fill: { icon: PaintBucket, key: 'F' },
  select: { icon: SquareDashedMousePointer, key: 'S' },
  text: { icon: Type, key: 'T' },
}
