{{/*
The URLs of an engine as sources of a projected volume, one file per service: (list $ engine). Each service's data is dumped and restored with
its own credentials.
*/}}
{{- define "parley.urlSources" -}}
{{- $ := index . 0 -}}
{{- $variable := printf "%s_URL" (index . 1 | upper) -}}
{{- $sources := list -}}
{{- range $name, $entry := $.Values.prepared.entries -}}
{{- range $source := (include "parley.secretSources" (list $ $name) | fromJson).sources -}}
{{- $item := index $source.secret.items 0 -}}
{{- if eq $item.path $variable -}}
{{- $sources = append $sources (dict "secret" (dict "name" $source.secret.name "items" (list (dict "key" $item.key "path" $name)))) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- dict "sources" $sources | toJson -}}
{{- end -}}

{{- define "parley.backupClaim" -}}
{{- .Values.backup.existingClaim | default (printf "%s-backup" (include "parley.fullname" .)) -}}
{{- end -}}

{{/* A container that runs a script with the URLs of an engine: (list $ engine command arguments). */}}
{{- define "parley.backupContainer" -}}
{{- $ := index . 0 -}}
{{- $engine := index . 1 -}}
- name: {{ $engine }}
  image: {{ get $.Values.backup.images $engine | default (get $.Values.images $engine) | quote }}
  imagePullPolicy: {{ $.Values.image.pullPolicy }}
  terminationMessagePolicy: FallbackToLogsOnError
  command: {{ concat (list "bash" (printf "/scripts/%s-%s.sh" (index . 2) $engine) "/run/secrets/parley") (index . 3) | toJson }}
  securityContext:
    {{- include "parley.containerSecurity" $ | nindent 4 }}
  {{- if $.Values.certificateAuthorities.configMap }}
  env:
    - { name: {{ ternary "PGSSLROOTCERT" "SSL_CERT_FILE" (eq $engine "postgres") }}, value: /run/authorities/ca.crt }
  {{- end }}
  resources:
    {{- toYaml $.Values.backup.resources | nindent 4 }}
  volumeMounts:
    - { name: tmp, mountPath: /tmp }
    - { name: scripts, mountPath: /scripts, readOnly: true }
    - { name: {{ $engine }}, mountPath: /run/secrets/parley, readOnly: true }
    - { name: backups, mountPath: /backups }
    {{- if $.Values.certificateAuthorities.configMap }}
    - { name: authorities, mountPath: /run/authorities, readOnly: true }
    {{- end }}
{{- end -}}

{{/* The pod that tests writing to the claim: $. */}}
{{- define "parley.claimPod" -}}
restartPolicy: Never
{{- include "parley.pod" (list . 999 .Values.defaults) | nindent 0 }}
containers:
  - name: claim
    image: {{ .Values.backup.images.postgres | default .Values.images.postgres | quote }}
    imagePullPolicy: {{ .Values.image.pullPolicy }}
    terminationMessagePolicy: FallbackToLogsOnError
    command: [bash, /scripts/check-claim.sh, /backups]
    securityContext:
      {{- include "parley.containerSecurity" . | nindent 6 }}
    resources:
      {{- toYaml .Values.backup.resources | nindent 6 }}
    volumeMounts:
      - { name: scripts, mountPath: /scripts, readOnly: true }
      - { name: backups, mountPath: /backups }
volumes:
  - name: scripts
    configMap: { name: {{ include "parley.fullname" . }}-backup }
  - name: backups
    persistentVolumeClaim: { claimName: {{ include "parley.backupClaim" . }} }
{{- end -}}

{{/*
The pod that dumps or restores PostgreSQL and then MongoDB, with their images: dict "root" $ "command" dump|restore, and as "postgres" and
"mongo" the arguments of each script after the folder of URLs.
*/}}
{{- define "parley.backupPod" -}}
{{- $ := .root -}}
restartPolicy: Never
{{- /* The user of both images. */}}
{{- include "parley.pod" (list $ 999 $.Values.defaults) | nindent 0 }}
initContainers:
  {{- include "parley.backupContainer" (list $ "postgres" .command .postgres) | nindent 2 }}
containers:
  {{- include "parley.backupContainer" (list $ "mongo" .command .mongo) | nindent 2 }}
volumes:
  - name: tmp
    emptyDir: { sizeLimit: 256Mi }
  - name: scripts
    configMap: { name: {{ include "parley.fullname" $ }}-backup }
  - name: backups
    persistentVolumeClaim: { claimName: {{ include "parley.backupClaim" $ }} }
  {{- range $engine := list "postgres" "mongo" }}
  - name: {{ $engine }}
    projected:
      defaultMode: 0440
      sources:
        {{- toYaml (include "parley.urlSources" (list $ $engine) | fromJson).sources | nindent 8 }}
  {{- end }}
  {{- if $.Values.certificateAuthorities.configMap }}
  - name: authorities
    configMap:
      name: {{ $.Values.certificateAuthorities.configMap }}
      items: [{ key: {{ $.Values.certificateAuthorities.key | quote }}, path: ca.crt }]
  {{- end }}
{{- end -}}
