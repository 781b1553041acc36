import { z } from 'zod'
import { fact, MAX_LIST_ENTRIES, MAX_TEXT_CHARACTERS } from '../contract/fact'

export const text = z.string().max(MAX_TEXT_CHARACTERS)
export const path = z.string().max(MAX_TEXT_CHARACTERS)
export const count = z.int()
export const textFact = fact(text)
export const numberFact = fact(z.number())
export const booleanFact = fact(z.boolean())
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(MAX_LIST_ENTRIES).readonly()
export const texts = list(textFact)
