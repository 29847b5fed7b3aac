{{/* The prefix of all names of a release. */}}
{{- define "parley.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels that select pods: (list $ component). */}}
{{- define "parley.selector" -}}
{{- $ := index . 0 -}}
app.kubernetes.io/name: {{ default $.Chart.Name $.Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ $.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* Selects the pods of a Deployment and of its migrations, for network policies: (list $ component). */}}
{{- define "parley.podsOf" -}}
{{- $ := index . 0 -}}
matchLabels:
  app.kubernetes.io/name: {{ default $.Chart.Name $.Values.nameOverride | trunc 63 | trimSuffix "-" }}
  app.kubernetes.io/instance: {{ $.Release.Name }}
matchExpressions:
  - { key: app.kubernetes.io/component, operator: In, values: [{{ index . 1 }}, {{ index . 1 }}-migrate] }
{{- end -}}

{{/* The pods of a component as a peer of network policies: (list $ component). */}}
{{- define "parley.peer" -}}
- podSelector:
    matchLabels:
      {{- include "parley.selector" . | nindent 6 }}
{{- end -}}

{{/* Labels of all resources: (list $ component). */}}
{{- define "parley.labels" -}}
{{- $ := index . 0 -}}
{{ include "parley.selector" . }}
app.kubernetes.io/version: {{ $.Values.image.tag | default $.Chart.AppVersion | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ $.Release.Service }}
app.kubernetes.io/part-of: parley
helm.sh/chart: {{ printf "%s-%s" $.Chart.Name $.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Name and labels of a resource that is named after its component: (list $ component). */}}
{{- define "parley.metadata" -}}
name: {{ include "parley.fullname" (index . 0) }}-{{ index . 1 }}
labels:
  {{- include "parley.labels" . | nindent 2 }}
{{- end -}}

{{/* Image of a Deployment: (list $ name-of-image). */}}
{{- define "parley.image" -}}
{{- $ := index . 0 -}}
{{- $name := index . 1 -}}
{{- if eq $name "nginx" -}}{{ $.Values.images.nginx }}
{{- else -}}
{{- with $.Values.image -}}
{{- list .registry .repository $name | compact | join "/" }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "parley.publicUrl" -}}
{{- .Values.publicUrl | default "http://localhost:8080" -}}
{{- end -}}

{{/* The Deployment behind the paths of the API, or behind all other paths: (list $ "gateway"|"web"). */}}
{{- define "parley.entrance" -}}
{{- $ := index . 0 -}}
{{ include "parley.fullname" $ }}-{{ ternary "edge" (index . 1) (get $.Values.prepared.entries.edge "enabled") }}
{{- end -}}

{{/* The request of a probe: (list probes name). */}}
{{- define "parley.probe" -}}
{{- $probes := index . 0 -}}
{{- $request := dict "path" (get $probes (index . 1)) "port" "http" -}}
{{- with get $probes "host" }}{{ $_ := set $request "httpHeaders" (list (dict "name" "Host" "value" .)) }}{{ end -}}
{{- toJson $request -}}
{{- end -}}

{{/* Security context of all containers. */}}
{{- define "parley.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Fields of all pods: (list $ user placement), the numeric user and the values for `parley.placement`. */}}
{{- define "parley.pod" -}}
{{- $ := index . 0 -}}
{{- $user := index . 1 -}}
serviceAccountName: {{ include "parley.fullname" $ }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ $user }}
  runAsGroup: {{ $user }}
  fsGroup: {{ $user }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with include "parley.placement" (index . 2) }}
{{- . | nindent 0 }}
{{- end }}
{{- end -}}

{{/*
Fields of a pod that decide where and how urgently it runs: the values of a Deployment, or `defaults` for other pods. Jobs need them as much: a
migration that can be scheduled nowhere stops the upgrade.
*/}}
{{- define "parley.placement" -}}
{{- $values := . -}}
{{- $fields := dict -}}
{{- range $field := list "priorityClassName" "nodeSelector" "tolerations" "affinity" -}}
{{- with get $values $field }}{{ $_ := set $fields $field . }}{{ end -}}
{{- end -}}
{{- with $fields }}{{ toYaml . }}{{ end -}}
{{- end -}}

{{/* The network policy rule that allows a pod to resolve names. */}}
{{- define "parley.dnsEgress" -}}
- ports:
    {{- range .Values.networkPolicy.dnsPorts }}
    - { port: {{ . }}, protocol: UDP }
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
{{- end -}}

{{/* The network policy rule that allows a pod to reach an engine: (list $ engine). */}}
{{- define "parley.engineEgress" -}}
{{- $ := index . 0 -}}
{{- $engine := get $.Values (index . 1) -}}
{{- $ports := list (int $engine.port) -}}
{{- range splitList "," (get $engine "brokers" | default "") | compact -}}
{{- $ports = append $ports (splitList ":" . | last | int) | uniq -}}
{{- end -}}
- ports:
    {{- range $ports }}
    - { port: {{ . }} }
    {{- end }}
  {{- if $.Values.devEngines.enabled }}
  to:
    {{- include "parley.peer" . | nindent 4 }}
  {{- else if $engine.networks }}
  to:
    {{- range $engine.networks }}
    - ipBlock: { cidr: {{ . | quote }} }
    {{- end }}
  {{- end }}
{{- end -}}
