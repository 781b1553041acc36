import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { Form, FormFields, FormProblemText } from './Form'
import { optionAt, type FieldDescription, type FieldValues } from './fields'
import { problemOf, sendProblem, type FormProblem } from './useForm'

const shown = (fields: readonly FieldDescription[], values: FieldValues = {}, problem: FormProblem | null = null) => {
  const nothing = () => undefined
  const form = { fields, values, problem, isSending: false, set: nothing, submit: nothing, forgetProblem: nothing }
  return renderToStaticMarkup(
    <Form form={form} label="A form" layout="columns">
      <FormFields form={form} />
      <FormProblemText form={form} />
    </Form>,
  )
}

/** The attributes of the only element of this name. */
const attributesOf = (html: string, tag: string): Record<string, string> => {
  const [element = '', ...others] = html.match(new RegExp(`<${tag}\\b[^>]*>`, 'g')) ?? []
  expect(others).toEqual([])
  return Object.fromEntries(
    [...element.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, name = '', text = '']) => [name, text]),
  )
}

describe('a form that is drawn from descriptions', () => {
  const length: FieldDescription = { kind: 'text', name: 'length', label: 'Length', hints: [{ text: 'In bytes.' }] }

  it('names each control by its label and describes it by its hints', () => {
    const html = shown([{ ...length, required: true }], { length: '16' })
    const input = attributesOf(html, 'input')
    expect(attributesOf(html, 'label')['for']).toBe(input['id'])
    expect(html).toContain(`<div id="${input['aria-describedby']}" class="form-hints"><p class="muted">In bytes.</p>`)
    expect(input).toMatchObject({ value: '16', 'aria-required': 'true', 'data-first': 'true' })
    expect(input).not.toHaveProperty('aria-invalid')
  })

  it('shows what is wrong with a field beside it, and what is wrong with none of them below', () => {
    const ofField = shown([length], {}, { field: 'length', text: 'Too long.' })
    expect(attributesOf(ofField, 'input')['aria-invalid']).toBe('true')
    expect(ofField).toContain('<p class="problem" role="alert">Too long.</p></div></div>')
    const ofForm = shown([length], {}, { field: null, text: 'No machine.' })
    expect(ofForm).toContain('<p class="form-problem problem" role="alert">No machine.</p></form>')
    expect(attributesOf(ofForm, 'input')).not.toHaveProperty('aria-invalid')
    const typed = shown([{ ...length, error: 'No number.' }])
    expect(typed).toContain('<p class="problem">No number.</p>')
    expect(attributesOf(typed, 'input')['aria-invalid']).toBe('true')
  })

  it('has no problem when the person says no in a dialog of the system', () => {
    expect(sendProblem(new AppError('CANCELLED', 'The call was cancelled.'), [length])).toBeNull()
    expect(sendProblem(new AppError('BUSY', 'Busy.'), [length])).toEqual({ field: null, text: 'Busy.' })
  })

  it('has a control for each kind', () => {
    const options = [
      { value: 'a', label: 'First' },
      { value: 'b', label: 'Second' },
    ]
    const common = { name: 'field', label: 'Field' }
    expect(shown([{ ...common, kind: 'lines', rows: 3 }], { field: 'a\nb' })).toMatch(/<textarea[^>]*>a\nb<\/textarea>/)
    const number = shown([{ ...common, kind: 'number', minimum: 1, maximum: 9 }], { field: '5' })
    expect(attributesOf(number, 'input')).toMatchObject({ type: 'number', min: '1', max: '9', step: 'any', value: '5' })
    expect(shown([{ ...common, kind: 'checkbox' }], { field: 'true' })).toContain('checked=""')
    expect(shown([{ ...common, kind: 'checkbox' }], { field: 'false' })).not.toContain('checked')
    expect(shown([{ ...common, kind: 'select', options }], { field: 'b' })).toContain('<option value="b" selected="">')
    const radios = shown([{ ...common, kind: 'radios', options }], { field: 'b' })
    expect(radios).toMatch(/<legend>Field<\/legend>.*type="radio".*First.*type="radio"[^>]*checked="".*Second/)
    const checks = shown([{ ...common, kind: 'checks', options }], { field: ['a', 'b'] })
    expect(checks.match(/type="checkbox"[^>]*checked=""/g)).toHaveLength(2)
    const file = shown([{ ...common, kind: 'file', placeholder: 'none', onChoose: () => undefined }])
    expect(file).toMatch(/role="group" aria-labelledby="([^"]+)".*none/)
  })

  it('does not take what cannot be given now, and says why', () => {
    const html = shown([{ ...length, kind: 'text', why: 'Not with this program' }], { length: '16' })
    expect(attributesOf(html, 'input')).toMatchObject({ disabled: '', value: '', placeholder: 'Not with this program' })
  })

  it('puts in suggestions of the first field that has any', () => {
    const suggestions = ['one', 'two'].map((value) => ({ value, label: value }))
    const fields: FieldDescription[] = [length, { kind: 'lines', name: 'text', label: 'Text', rows: 2, suggestions }]
    expect(optionAt(fields, {}, 2)).toEqual({ name: 'text', value: 'two' })
    expect(optionAt(fields, {}, 3)).toBeNull()
    expect(optionAt([length], {}, 1)).toBeNull()
  })

  it('chooses one of several options by its number, and takes a tick away by the same', () => {
    const options = ['a', 'b'].map((value) => ({ value, label: value }))
    const radios: FieldDescription = { kind: 'radios', name: 'field', label: 'Field', options }
    const checks: FieldDescription = { ...radios, kind: 'checks' }
    expect(optionAt([length, radios], { field: 'a' }, 2)).toEqual({ name: 'field', value: 'b' })
    expect(optionAt([checks], { field: ['a'] }, 2)).toEqual({ name: 'field', value: ['a', 'b'] })
    expect(optionAt([checks], { field: ['a', 'b'] }, 1)).toEqual({ name: 'field', value: ['b'] })
  })

  it('puts an error at the field that it names', () => {
    const failure = (field: string) => new AppError('INVALID', 'Too long.', { hint: 'Shorten it.', details: { field } })
    expect(problemOf(failure('length'), [length])).toEqual({ field: 'length', text: 'Too long. Shorten it.' })
    expect(problemOf(failure('other'), [length])).toEqual({ field: null, text: 'Too long. Shorten it.' })
    expect(problemOf(new Error('a path'), [length]).field).toBeNull()
  })
})
