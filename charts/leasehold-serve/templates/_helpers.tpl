{{- define "leasehold.fullname" -}}
{{- .Values.fullnameOverride | default .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "leasehold.serviceAccountName" -}}
{{- $own := .Values.serviceAccount.create | ternary (include "leasehold.fullname" .) "default" -}}
{{- .Values.serviceAccount.name | default $own -}}
{{- end -}}

{{/* leasehold doctor tells serve from Akash's operator by the first two. */}}
{{- define "leasehold.selectorLabels" -}}
app.kubernetes.io/component: serve
app.kubernetes.io/name: leasehold
app.kubernetes.io/instance: {{ include "leasehold.fullname" . }}
{{- end -}}

{{- define "leasehold.labels" -}}
{{ include "leasehold.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "leasehold.metadata" -}}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "leasehold.labels" . | nindent 2 }}
{{- end -}}

{{- define "leasehold.image" -}}
{{- $repository := required "set image.repository: no image is published" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "leasehold.url" -}}
{{- $url := required "set git.url: the repository that has leases/" .Values.git.url -}}
{{- if regexMatch "^https?://[^/]*@" $url -}}
{{- fail "git.url contains credentials: they belong in the Secret of git.existingSecret" -}}
{{- end -}}
{{- if and .Values.git.existingSecret (hasPrefix "http://" $url) -}}
{{- fail "git.existingSecret is sent only over https or ssh, not to the address in git.url" -}}
{{- end -}}
{{- $url -}}
{{- end -}}

{{/* The fields that both containers have. */}}
{{- define "leasehold.container" -}}
image: {{ include "leasehold.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
env:
  - name: HOME
    value: /tmp
  {{- if .Values.git.existingSecret }}
  {{- if hasPrefix "https://" .Values.git.url }}
  - name: GIT_CONFIG_COUNT
    value: "1"
  - name: GIT_CONFIG_KEY_0
    value: credential.helper
  - name: GIT_CONFIG_VALUE_0
    value: '!f() { read -r u < /secrets/username; read -r p < /secrets/password; echo "username=$u"; echo "password=$p"; }; f'
  {{- else }}
  - name: GIT_SSH_COMMAND
    value: ssh -i /secrets/identity -o IdentitiesOnly=yes -o UserKnownHostsFile=/secrets/known_hosts -o StrictHostKeyChecking=yes -o ConnectTimeout=10 -o ServerAliveInterval=15
  {{- end }}
  {{- end }}
resources:
  {{- toYaml .Values.resources | nindent 2 }}
securityContext:
  {{- toYaml .Values.securityContext | nindent 2 }}
volumeMounts:
  - name: leases
    mountPath: /srv
  - name: tmp
    mountPath: /tmp
  {{- if .Values.git.existingSecret }}
  - name: secrets
    mountPath: /secrets
    readOnly: true
  {{- end }}
{{- end -}}
