{{/*
Generates .Values.prepared.secrets: the contents of the Secrets that this chart creates for each service, and for `engines` the credentials of
devEngines. Existing values of a release are kept. A key is P-256 in SEC 1 format, whose DER encoding ends with the public key's point.
*/}}
{{- define "parley.generate" -}}
{{- $v := .Values -}}
{{- $secrets := dict -}}
{{- $_ := set $v.prepared "secrets" $secrets -}}
{{- $fullname := include "parley.fullname" . -}}
{{- $engines := dict -}}
{{- if $v.devEngines.enabled -}}
{{- $old := include "parley.kept" (list . "engines") | fromJson -}}
{{- range $name := list "postgres" "mongo" "redis" -}}
{{- $_ := set $engines $name (get $old $name | default (randAlphaNum 32)) -}}
{{- end -}}
{{- $_ := set $engines "mongo-keyfile" (get $old "mongo-keyfile" | default (randAlphaNum 128)) -}}
{{- end -}}
{{- $publicKeys := list -}}
{{- range $name, $entry := $v.prepared.entries -}}
{{- if has "IDENTITY_PRIVATE_KEY" $entry.secrets -}}
{{- $old := include "parley.kept" (list $ $name) | fromJson -}}
{{- $data := dict -}}
{{- if not $v.secrets.existing -}}
{{- $key := get $old "IDENTITY_PRIVATE_KEY" | default (genPrivateKey "ecdsa") -}}
{{- $_ := set $data "IDENTITY_PRIVATE_KEY" $key -}}
{{- $der := regexReplaceAll "-----[A-Z ]+-----|\\s" $key "" | b64dec -}}
{{- $publicKeys = append $publicKeys (dict "kty" "EC" "crv" "P-256" "kid" $name "use" "sig" "alg" "ES256" "x" (substr 57 89 $der | include "parley.base64url") "y" (substr 89 121 $der | include "parley.base64url")) -}}
{{- range $variable := $entry.required -}}
{{- if hasSuffix "_SECRETS" $variable -}}
{{- $_ := set $data $variable (get $old $variable | default (randAlphaNum 48)) -}}
{{- end -}}
{{- end -}}
{{- if has "ADMIN_PASSWORD" $entry.secrets -}}
{{- $_ := set $data "ADMIN_PASSWORD" (get $old "ADMIN_PASSWORD" | default (randAlphaNum 20)) -}}
{{- end -}}
{{- end -}}
{{- if $v.devEngines.enabled -}}
{{- $role := replace "-" "_" $name -}}
{{- if has "postgres" $entry.engines -}}
{{- $password := get $old "POSTGRES_PASSWORD" | default (randAlphaNum 32) -}}
{{- $_ := set $data "POSTGRES_PASSWORD" $password -}}
{{- $_ := set $data "POSTGRES_URL" (printf "postgres://%s:%s@%s-postgres:5432/parley" $role $password $fullname) -}}
{{- end -}}
{{- if has "mongo" $entry.engines -}}
{{- $_ := set $data "MONGO_URL" (printf "mongodb://parley:%s@%s-mongo:27017/%s?authSource=admin" $engines.mongo $fullname $name) -}}
{{- end -}}
{{- if has "redis" $entry.engines -}}
{{- $_ := set $data "REDIS_URL" (printf "redis://:%s@%s-redis:6379" $engines.redis $fullname) -}}
{{- end -}}
{{- end -}}
{{- $_ := set $secrets $name $data -}}
{{- end -}}
{{- end -}}
{{- if $publicKeys -}}
{{- range $name, $data := $secrets -}}
{{- $_ := set $data "IDENTITY_PUBLIC_KEYS" (dict "keys" $publicKeys | toJson) -}}
{{- end -}}
{{- end -}}
{{- if $engines -}}
{{- $_ := set $secrets "engines" $engines -}}
{{- end -}}
{{- end -}}

{{- define "parley.base64url" -}}
{{- . | b64enc | replace "+" "-" | replace "/" "_" | trimAll "=" -}}
{{- end -}}

{{/* The present content of a Secret of this release, as JSON: (list $ name). */}}
{{- define "parley.kept" -}}
{{- $ := index . 0 -}}
{{- $kept := dict -}}
{{- $secret := lookup "v1" "Secret" $.Release.Namespace (printf "%s-%s" (include "parley.fullname" $) (index . 1)) | default dict -}}
{{- range $key, $value := get $secret "data" | default dict }}{{ $_ := set $kept $key (b64dec $value) }}{{ end -}}
{{- $kept | toJson -}}
{{- end -}}

{{/*
Sources of the projected volume with a service's secrets, as JSON, one file per variable: (list $ name). Optional secrets that are not set
have none.
*/}}
{{- define "parley.secretSources" -}}
{{- $ := index . 0 -}}
{{- $name := index . 1 -}}
{{- $v := $.Values -}}
{{- $entry := get $v.prepared.entries $name -}}
{{- $made := get $v.prepared.secrets $name -}}
{{- $own := printf "%s-%s" (include "parley.fullname" $) $name -}}
{{- $given := get $entry.values "secretEnv" | default dict -}}
{{- $engineOf := dict "POSTGRES_URL" "postgres" "MONGO_URL" "mongo" "REDIS_URL" "redis" "KAFKA_PASSWORD" "kafka" -}}
{{- $sources := list -}}
{{- range $variable := $entry.secrets -}}
{{- $engine := get $engineOf $variable -}}
{{- $place := list -}}
{{- if hasKey $given $variable -}}
{{- $place = list (get $given $variable).name (get $given $variable).key -}}
{{- else if hasKey $made $variable -}}
{{- $place = list $own $variable -}}
{{- else if and $engine (not $v.devEngines.enabled) -}}
{{- with (get $v $engine).existingSecret }}{{ $place = list . $name }}{{ end -}}
{{- else if and $v.secrets.existing (or (has $variable $entry.required) (eq $variable "ADMIN_PASSWORD")) (ne $variable "SMTP_URL") -}}
{{- $place = list (printf "%s%s" $v.secrets.existing $name) $variable -}}
{{- end -}}
{{- if $place -}}
{{- $item := dict "key" (index $place 1) "path" $variable -}}
{{- $sources = append $sources (dict "secret" (dict "name" (index $place 0) "items" (list $item))) -}}
{{- end -}}
{{- end -}}
{{- dict "sources" $sources | toJson -}}
{{- end -}}
