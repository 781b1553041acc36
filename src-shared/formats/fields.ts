/** The kinds of fields that details of runs are made of. */
import { z } from 'zod'
import { fact, LONGEST_LIST, LONGEST_TEXT } from '../contract/fact'

export const text = z.string().max(LONGEST_TEXT)
export const path = z.string().max(LONGEST_TEXT)
export const count = z.int()
export const textFact = fact(text)
export const numberFact = fact(z.number())
export const booleanFact = fact(z.boolean())
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(LONGEST_LIST).readonly()
export const texts = list(textFact)
