export { ModelPicker } from './model-picker.tsx'
export { useModelChoice } from './use-model-choice.ts'
