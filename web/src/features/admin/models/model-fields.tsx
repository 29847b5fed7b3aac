import type { Model } from '@parley/contracts'
import { Controller, useFormContext } from 'react-hook-form'
import { useText } from '../../../shared/i18n/index.ts'
import { Box, TextField } from '../../../shared/ui/index.ts'
import { fieldErrorText } from '../data/field-error.ts'
import { Panel } from '../frame/page.tsx'
import { CheckField, SelectField } from '../parts/fields.tsx'
import { BreakerLine } from './breaker-line.tsx'
import { FallbackOrder } from './fallback-order.tsx'
import { HeaderFields } from './header-fields.tsx'
import {
  abilities,
  type ModelValues,
  modelTypes,
  providerNames,
  providerPrices,
  providers,
  sdkTypes,
} from './model-values.ts'
import { PricePreview } from './price-preview.tsx'

const limits = ['contextLength', 'maxTokens', 'temperature'] as const
const prices = ['creditsPerMessage', 'requestsPerMinute', 'tokensPerMinute', ...providerPrices] as const
const decimals: readonly string[] = ['temperature', ...providerPrices]
const grid = 'grid gap-4 md:grid-cols-2 lg:grid-cols-3'

/** The fields of a model in groups, within its form. */
export function ModelFields({ isNew, models }: { isNew: boolean; models: readonly Model[] }) {
  const { t } = useText()
  const { register, control, formState, watch } = useFormContext<ModelValues>()
  const { errors } = formState
  const text = (name: 'name' | 'group' | 'description' | 'apiEndpoint' | 'apiModelName', hint?: string) => (
    <TextField
      {...register(name)}
      label={t(`registry.field.${name}`)}
      error={fieldErrorText(errors[name], t)}
      {...(hint && { hint })}
    />
  )
  const number = (name: (typeof limits)[number] | (typeof prices)[number], hint?: string) => (
    <TextField
      key={name}
      {...register(name)}
      label={t(`registry.field.${name}`)}
      error={fieldErrorText(errors[name], t)}
      {...(hint && { hint })}
      inputMode={decimals.includes(name) ? 'decimal' : 'numeric'}
    />
  )
  return (
    <div className="flex flex-col gap-7">
      <Panel title={t('registry.group.identity')}>
        <Box>
          <div className={grid}>
            <TextField
              {...register('id')}
              label={t('registry.field.id')}
              error={fieldErrorText(errors.id, t)}
              hint={t(isNew ? 'registry.hint.id' : 'registry.hint.fixedId')}
              readOnly={!isNew}
              spellCheck={false}
              autoCapitalize="none"
            />
            {text('name')}
            {text('group', t('registry.hint.group'))}
            <div className="md:col-span-2 lg:col-span-3">{text('description')}</div>
            <Controller
              control={control}
              name="modelType"
              render={({ field }) => (
                <SelectField
                  label={t('registry.field.modelType')}
                  value={field.value}
                  onChange={field.onChange}
                  options={modelTypes.map((value) => ({
                    value,
                    text: t(`registry.modelType.${value}`),
                  }))}
                />
              )}
            />
            <div className="self-end pb-3">
              <CheckField {...register('enabled')} label={t('registry.field.enabled')} />
            </div>
          </div>
        </Box>
      </Panel>
      <Panel title={t('registry.group.provider')}>
        <Box>
          {!isNew && <BreakerLine id={watch('id')} />}
          <div className={grid}>
            <Controller
              control={control}
              name="provider"
              render={({ field }) => (
                <SelectField
                  label={t('registry.column.provider')}
                  value={field.value}
                  onChange={field.onChange}
                  options={providers.map((id) => ({ value: id, text: providerNames[id] }))}
                />
              )}
            />
            <Controller
              control={control}
              name="sdkType"
              render={({ field }) => (
                <SelectField
                  label={t('registry.field.sdkType')}
                  value={field.value}
                  onChange={field.onChange}
                  options={sdkTypes.map((value) => ({ value, text: t(`registry.sdk.${value}`) }))}
                />
              )}
            />
            {text('apiModelName', t('registry.hint.apiModelName'))}
            <div className="md:col-span-2 lg:col-span-3">{text('apiEndpoint', t('registry.hint.apiEndpoint'))}</div>
          </div>
          <HeaderFields />
        </Box>
      </Panel>
      <Panel title={t('registry.group.abilities')}>
        <Box>
          <div className={grid}>{limits.map((name) => number(name, t(`registry.hint.${name}`)))}</div>
          <fieldset className="mt-4 grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
            <legend className="sr-only">{t('registry.group.abilities')}</legend>
            {abilities.map((name) => (
              <CheckField key={name} {...register(name)} label={t(`registry.field.${name}`)} />
            ))}
          </fieldset>
        </Box>
      </Panel>
      <Panel
        title={t('registry.group.price')}
        lead={t('registry.priceLead', { credits: Number(watch('creditsPerMessage')) || 0 })}
      >
        <Box>
          <div className={grid}>{prices.map((name) => number(name, t(`registry.hint.${name}`)))}</div>
          <PricePreview />
        </Box>
      </Panel>
      <Panel title={t('registry.group.fallbacks')} lead={t('registry.fallbackLead')}>
        <Controller
          control={control}
          name="fallbackModels"
          render={({ field }) => (
            <FallbackOrder
              ids={field.value}
              models={models.filter(({ id, modelType }) => id !== watch('id') && modelType === watch('modelType'))}
              onChange={field.onChange}
            />
          )}
        />
      </Panel>
    </div>
  )
}
