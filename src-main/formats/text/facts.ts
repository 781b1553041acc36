import {
  booleanOf,
  field,
  isNull,
  itemsOf,
  numberOf,
  textOf,
  timeOf,
  type Located,
  type LocatedDocument,
} from './located'
import type { Fact } from '@shared/contract/orchestration'

export class Facts {
  readonly document: LocatedDocument

  constructor(document: LocatedDocument) {
    this.document = document
  }

  text = (node: Located | undefined, ...names: string[]): Fact<string> =>
    this.document.fact(names.length === 0 ? node : field(node, ...names), textOf)
  number = (node: Located | undefined, ...names: string[]): Fact<number> =>
    this.document.fact(field(node, ...names), numberOf)
  time = (node: Located | undefined, ...names: string[]): Fact<number> =>
    this.document.fact(field(node, ...names), timeOf)
  boolean = (node: Located | undefined, ...names: string[]): Fact<boolean> =>
    this.document.fact(field(node, ...names), booleanOf)

  texts = (node: Located | undefined, ...names: string[]): Fact<string>[] => {
    const list = field(node, ...names)
    if (list?.kind === 'scalar' && !isNull(list)) return [this.text(list)]
    return itemsOf(list).map((item) => this.text(item))
  }
}
